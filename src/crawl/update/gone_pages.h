#ifndef PAVANE_CRAWL_UPDATE_GONE_PAGES_H
#define PAVANE_CRAWL_UPDATE_GONE_PAGES_H

/* The files of pages that an update has found gone go, too, when it is complete
 * (mirror/update/gone_files.h): on the writer's thread, some at a time, with a
 * commit after each, so that a stop does not wait. What is left then is done at
 * the end of the next run, whichever that is. */
struct pv_crawl;

/* Calls `then` when that is done, or was stopped: for a crawl whose end has
 * been committed. */
void pv_gone_pages_begin(
    struct pv_crawl *crawl, void (*then)(struct pv_crawl *crawl));

#endif
