#ifndef PAVANE_SERVE_JOBS_JOB_NEWS_H
#define PAVANE_SERVE_JOBS_JOB_NEWS_H

#include <pthread.h>

#include "store/service/job_store.h"

/* That something has happened, for threads that wait for it: a crawl has saved
 * more, or a job is in another state.
 *
 * Its mutex is held for a moment only, and nothing else is locked meanwhile, so
 * that a crawl's loop may tell news at any time. */
#define PV_JOB_CHANGES 1024 /* that are remembered */

/* A job came to another state: the number counts from 1. */
struct pv_job_change {
	uint64_t number;
	char id[PV_JOB_ID_LEN + 1];
	enum pv_job_state state;
};

struct pv_job_news {
	pthread_mutex_t mutex;
	pthread_cond_t told;
	uint64_t number;               /* of the last news */
	struct pv_job_change *changes; /* the last of them, in a ring */
	uint64_t change_count;
};

void pv_job_news_init(struct pv_job_news *news);
void pv_job_news_finish(struct pv_job_news *news);

void pv_job_news_tell(struct pv_job_news *news);

/* The same, of a job that is in that state now. */
void pv_job_news_tell_change(
    struct pv_job_news *news, struct pv_str id, enum pv_job_state state);

/* The first change behind that one; where it is not remembered any more, the last
 * that is lost, of which only the number is filled in. */
enum pv_job_news_next {
	PV_JOB_NEWS_NONE,
	PV_JOB_NEWS_CHANGE,
	PV_JOB_NEWS_GAP,
};
enum pv_job_news_next pv_job_news_next(
    struct pv_job_news *news, uint64_t after, struct pv_job_change *change);
uint64_t pv_job_news_last(struct pv_job_news *news);

/* The number of the last news. */
uint64_t pv_job_news_number(struct pv_job_news *news);

/* Waits until there is later news than `seen`, but not for longer than so many
 * milliseconds. The number of the last news. */
uint64_t pv_job_news_wait(
    struct pv_job_news *news, uint64_t seen, int64_t most_ms);

#endif
