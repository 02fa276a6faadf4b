#ifndef PAVANE_CRAWL_ENTRANCE_H
#define PAVANE_CRAWL_ENTRANCE_H

/* Writes the page by which a mirror is entered (mirror/entry_page.h), when a run
 * has ended and all of it is committed. That it cannot be written is told, and
 * changes nothing about the end. */
struct pv_crawl;

void pv_entrance_write(struct pv_crawl *crawl);

#endif
