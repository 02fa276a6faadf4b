#ifndef PAVANE_CRAWL_PROGRESS_PROGRESS_H
#define PAVANE_CRAWL_PROGRESS_PROGRESS_H

#include "pavane/pavane.h"

/* How far a crawl is: told to whoever asked for it, as often as they asked, and
 * written into the state now and then for those who look from outside
 * (saved_progress.h). */
struct pv_crawl;

void pv_progress_begin(struct pv_crawl *crawl);

/* Each round of the loop: what it is held by, and how long it took. */
void pv_progress_turn(struct pv_crawl *crawl);

/* Now and then. */
void pv_progress_beat(struct pv_crawl *crawl);

/* Writes down how it has ended, if it has done anything; and tells it. */
void pv_progress_keep_end(struct pv_crawl *crawl);
void pv_progress_end(struct pv_crawl *crawl);

/* Brings crawl->progress up to date. */
void pv_progress_fill(struct pv_crawl *crawl);

#endif
