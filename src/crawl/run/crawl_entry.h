#ifndef PAVANE_CRAWL_RUN_CRAWL_ENTRY_H
#define PAVANE_CRAWL_RUN_CRAWL_ENTRY_H

/* Writes the page by which a mirror is entered (mirror/index/entry_page.h), when a run
 * has ended and all of it is committed. That it cannot be written is told, and
 * changes nothing about the end. */
struct pv_crawl;

void pv_crawl_entry_write(struct pv_crawl *crawl);

#endif
