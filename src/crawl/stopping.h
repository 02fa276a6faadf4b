#ifndef PAVANE_CRAWL_STOPPING_H
#define PAVANE_CRAWL_STOPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "pavane/pavane.h"
#include "store/database.h"

/* The end of a crawl, however it comes: all is done, a limit is reached, the
 * disk is in the way, or somebody asks to stop.
 *
 * Nothing more is released then. Stopping waits for an event, that no visit is
 * open any more, which the last one sets by being closed, or which is there at
 * once if none is; but no longer than drain_timeout, after which what is on
 * the wire is dropped, as it is when somebody asks a second time. Then the
 * hosts are given back, and the loop ends when all of that is committed.
 */
struct pv_crawl;

/* Begins the end, unless it has begun; `reason` is for people, and copied. */
void pv_stopping_begin(
    struct pv_crawl *crawl, enum pavane_end end, const char *reason);

/* We cannot go on, because of the disk. */
void pv_stopping_fail(struct pv_crawl *crawl, const char *reason);

/* The same, for a page that could not be kept: what went wrong, in words, and
 * its errno. */
void pv_stopping_fail_page(
    struct pv_crawl *crawl, const char *fault, int error);

/* Takes note of how a paper came back. */
void pv_stopping_note_status(
    struct pv_crawl *crawl, enum pv_store_status status);

/* Sees whether the state is still there: if somebody has removed it, nothing of
 * the crawl is kept, and it ends at once. */
void pv_stopping_look_at_state(struct pv_crawl *crawl);

/* Hears whether somebody asks to stop, or the time is up: before anything is
 * released. */
void pv_stopping_hear(struct pv_crawl *crawl);

/* By when the end is to be over, what comes behind the loop included: what is not
 * done by then is left to another run. PV_NEVER where all is done and no limit is
 * near. */
int64_t pv_stopping_deadline(const struct pv_crawl *crawl);

/* Goes on with the end, or sees whether it has come. */
void pv_stopping_step(struct pv_crawl *crawl);

/* When that has to be looked at again, if nothing else happens; PV_NEVER. */
int64_t pv_stopping_next(const struct pv_crawl *crawl);

/* When all is committed and nothing more will be: leaves one whole state.db,
 * however long that takes; but if somebody waits for the end only what is done
 * in a moment, and says what is left to the next run. */
void pv_stopping_fold_log(struct pv_crawl *crawl);

#endif
