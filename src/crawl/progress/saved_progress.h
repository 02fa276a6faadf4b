#ifndef PAVANE_CRAWL_PROGRESS_SAVED_PROGRESS_H
#define PAVANE_CRAWL_PROGRESS_SAVED_PROGRESS_H

#include "base/why.h"
#include "pavane/pavane.h"

/* The progress of a crawl as it stands in its state file: for those who look
 * from outside while it runs, and after it. */
struct pv_crawl;
struct pv_status;

/* Writes it down as it is now, with the next commit; and which hosts are paused in
 * all crawls of this process, where that has changed. */
void pv_saved_progress_keep(struct pv_crawl *crawl);

/* Whether it stands there which hosts are paused in all crawls of this process. */
bool pv_saved_progress_has_pauses(const struct pv_crawl *crawl);

/* What stands in the directory's state file, and which pauses hold now; NULL,
 * with the reason, if there is none that can be read. To be destroyed. */
struct pavane_status *pv_saved_progress_read(
    const char *directory, int64_t wall_ms, struct pv_why *why);
void pv_saved_progress_destroy(struct pavane_status *status);

#endif
