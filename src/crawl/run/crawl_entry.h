#ifndef PAVANE_CRAWL_RUN_CRAWL_ENTRY_H
#define PAVANE_CRAWL_RUN_CRAWL_ENTRY_H

/* Writes the page by which a mirror is entered (mirror/index/entry_page.h),
 * when a run has ended and all of it is committed. If it cannot be written, an
 * error is logged, and the crawl ends as it would have. */
struct pv_crawl;

void pv_crawl_entry_write(struct pv_crawl *crawl);

#endif
