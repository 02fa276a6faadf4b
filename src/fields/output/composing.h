#ifndef PAVANE_FIELDS_OUTPUT_COMPOSING_H
#define PAVANE_FIELDS_OUTPUT_COMPOSING_H

#include "fields/output/layout.h"
#include "record/page.h"

/* Composing all lines and rows of tables of a page, in a thread of the pool:
 * from then on its rows are not needed any more.
 *
 * They may be so large together; the rows that are too many are left out, and
 * that is said among the problems of the page. */
#define PV_COMPOSED_MAX ((size_t)16 << 20)

/* Fills the part, whose ceiling it sets; it stays empty where the page has no
 * rows that were read. */
void pv_fields_compose(const struct pv_fields_layout *layout,
    const struct pv_page *page, struct pv_buf *part);

/* The address as lines have it. */
void pv_fields_compose_url(const struct pv_page *page, struct pv_buf *url);

#endif
