#ifndef PAVANE_CRAWL_RUN_CRAWL_ENTRY_H
#define PAVANE_CRAWL_RUN_CRAWL_ENTRY_H

#include <stdbool.h>

/* Writes the page by which a mirror is entered (mirror/index/entry_page.h),
 * when a run has ended and all of it is committed; whether it is written. If it
 * cannot be, an error is logged, and the crawl ends as it would have. */
struct pv_crawl;

bool pv_crawl_entry_write(struct pv_crawl *crawl);

#endif
