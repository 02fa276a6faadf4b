#ifndef PAVANE_CRAWL_UPDATE_PAGE_KINDS_H
#define PAVANE_CRAWL_UPDATE_PAGE_KINDS_H

#include "base/buf.h"
#include "store/database.h"

/* The kinds of pages by which the state counts: their names in the order of the
 * policy whose numbers the addresses have (record/standing.h). Where a policy
 * has them in another order, or others, addresses keep their kinds by the names;
 * a page whose kind is gone is of none. */
struct pv_frontier;
struct pv_pages;

/* Makes the policy's order the state's: before the writer starts, in the
 * transaction in which the policy becomes the crawl's. */
void pv_page_kinds_apply(struct pv_frontier *frontier,
    struct pv_database *database, const struct pv_pages *pages);

/* What number each kind of the state has in a policy's order: for
 * pv_frontier_map_kinds. */
void pv_page_kinds_map(struct pv_database *database,
    const struct pv_pages *pages, unsigned char *numbers);

#endif
