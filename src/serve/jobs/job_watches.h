#ifndef PAVANE_SERVE_JOBS_JOB_WATCHES_H
#define PAVANE_SERVE_JOBS_JOB_WATCHES_H

#include <pthread.h>
#include <stdint.h>

#include "base/line.h"
#include "store/service/job_store.h"

/* Who waits for news of one job: that it may have saved more, or is in another
 * state. Of what happens to other jobs nobody of them is woken.
 *
 * The mutex is held for a moment only, and nothing else is locked meanwhile, so that
 * a crawl's loop may tell news at any time. */
struct pv_job_watches {
	pthread_mutex_t mutex;
	pthread_condattr_t by_monotonic;
	struct pv_line line;
	uint64_t number; /* of the last news, of all jobs that were told */
};

/* What all who wait for one job share. */
struct pv_job_watch;

/* What was heard of it last. */
struct pv_job_watch_news {
	uint64_t number;  /* it grows with all that happens to any job */
	uint64_t changes; /* how often it came to another state meanwhile */
};

void pv_job_watches_init(struct pv_job_watches *watches);

/* When nobody waits any more. */
void pv_job_watches_finish(struct pv_job_watches *watches);

/* To be given back. */
struct pv_job_watch *pv_job_watches_take(
    struct pv_job_watches *watches, struct pv_str id);
void pv_job_watches_give(
    struct pv_job_watches *watches, struct pv_job_watch *watch);

/* It may have saved more, or is in another state. */
void pv_job_watches_tell(
    struct pv_job_watches *watches, struct pv_str id, bool is_change);

/* Waits until there is later news than `seen`, 0 being before all, but not for longer
 * than so many milliseconds. */
struct pv_job_watch_news pv_job_watches_wait(struct pv_job_watches *watches,
    struct pv_job_watch *watch, uint64_t seen, int64_t most_ms);

#endif
