#ifndef PAVANE_SERVE_JOBS_JOB_NEWS_H
#define PAVANE_SERVE_JOBS_JOB_NEWS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* That something has happened, for threads that wait for it: a crawl has saved
 * more, or a job is in another state.
 *
 * Its mutex is held for a moment only, and nothing else is locked meanwhile, so
 * that a crawl's loop may tell news at any time. */
struct pv_job_news {
	pthread_mutex_t mutex;
	pthread_cond_t told;
	uint64_t number; /* of the last news */
	bool is_closed;
};

void pv_job_news_init(struct pv_job_news *news);
void pv_job_news_finish(struct pv_job_news *news);

void pv_job_news_tell(struct pv_job_news *news);

/* Nothing more is to be waited for. */
void pv_job_news_close(struct pv_job_news *news);

/* Waits until there is later news than `seen`, but not for longer than so many
 * milliseconds. The number of the last news. */
uint64_t pv_job_news_wait(
    struct pv_job_news *news, uint64_t seen, int64_t most_ms);

#endif
