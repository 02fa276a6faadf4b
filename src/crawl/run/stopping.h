#ifndef PAVANE_CRAWL_RUN_STOPPING_H
#define PAVANE_CRAWL_RUN_STOPPING_H

#include <stdint.h>

/* The end of a crawl, however it comes: all is done, a limit is reached, the
 * disk is in the way, or somebody asks to stop (halt.h).
 *
 * Nothing more is released then. Stopping waits for an event, that no visit is
 * open any more, which the last one sets by being closed, or which is there at
 * once if none is; but no longer than drain_timeout, after which what is on
 * the wire is dropped, as it is when somebody asks a second time. Then the
 * hosts are given back, and the loop ends when all of that is committed.
 */
struct pv_crawl;

/* Sees whether the state is still there: if somebody has removed it, nothing of
 * the crawl is kept, and it ends at once. */
void pv_stopping_look_at_state(struct pv_crawl *crawl);

/* Hears whether somebody asks to stop, or the time is up: before anything is
 * released. */
void pv_stopping_hear(struct pv_crawl *crawl);

/* Goes on with the end, or sees whether it has come. */
void pv_stopping_step(struct pv_crawl *crawl);

/* When that has to be looked at again, if nothing else happens; PV_NEVER. */
int64_t pv_stopping_next(const struct pv_crawl *crawl);

/* When all is committed and nothing more will be: leaves one whole state.db,
 * however long that takes; but if somebody waits for the end only what is done
 * in a moment, and says what is left to the next run. */
void pv_stopping_fold_log(struct pv_crawl *crawl);

#endif
