#ifndef PAVANE_READING_PAGE_ROWS_H
#define PAVANE_READING_PAGE_ROWS_H

#include "reading/link_collector.h"

/* The rows of a page, and the links that its kind follows: where the policy
 * describes kinds of pages, and this is one. */

/* Which kind it is, before its links are read: of a kind with `follow` no other
 * link leads to a page. */
void pv_page_rows_begin(struct pv_link_collector *collector);

/* Once its links are read, and so its encoding is known. */
void pv_page_rows_read(struct pv_link_collector *collector);

#endif
