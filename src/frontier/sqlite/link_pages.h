#ifndef PAVANE_FRONTIER_SQLITE_LINK_PAGES_H
#define PAVANE_FRONTIER_SQLITE_LINK_PAGES_H

#include "record/link.h"

/* How many pages of the file the links of a transaction may change, by which it
 * is cut before the write-ahead log grows too long (store/wal.h).
 *
 * Links of one origin change the same few pages, so an origin counts when the
 * transaction sees it first. Origins have places of fixed number; one whose
 * place was taken by another meanwhile counts again, so there may be too many,
 * and never too few. Used on the writer's thread.
 */
#define PV_LINK_PAGES_PLACES 4096

struct pv_link_pages {
	uint32_t places[PV_LINK_PAGES_PLACES]; /* an origin and one more */
	size_t bytes; /* of rows that fill no page by now */
};

/* A transaction begins. */
void pv_link_pages_begin(struct pv_link_pages *pages);

/* How many pages some more links of it change at most, beside those that were
 * counted before. */
size_t pv_link_pages_add(struct pv_link_pages *pages,
    const struct pv_link_list *links, size_t first, size_t end);

#endif
