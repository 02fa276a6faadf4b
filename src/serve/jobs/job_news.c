#include "serve/jobs/job_news.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/system.h"

void pv_job_news_init(struct pv_job_news *news)
{
	pthread_condattr_t by_monotonic;
	*news = (struct pv_job_news){.number = 0};
	news->changes = pv_alloc_array(PV_JOB_CHANGES, sizeof(*news->changes));
	pthread_mutex_init(&news->mutex, NULL);
	pthread_condattr_init(&by_monotonic);
	pthread_condattr_setclock(&by_monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&news->told, &by_monotonic);
	pthread_condattr_destroy(&by_monotonic);
}

void pv_job_news_finish(struct pv_job_news *news)
{
	free(news->changes);
	pthread_cond_destroy(&news->told);
	pthread_mutex_destroy(&news->mutex);
}

void pv_job_news_tell(struct pv_job_news *news)
{
	pthread_mutex_lock(&news->mutex);
	news->number++;
	pthread_cond_broadcast(&news->told);
	pthread_mutex_unlock(&news->mutex);
}

void pv_job_news_tell_change(
    struct pv_job_news *news, struct pv_str id, enum pv_job_state state)
{
	pthread_mutex_lock(&news->mutex);
	struct pv_job_change *change =
	    &news->changes[news->change_count++ % PV_JOB_CHANGES];
	*change = (struct pv_job_change){
	    .number = news->change_count, .state = state};
	snprintf(change->id, sizeof(change->id), "%.*s", PV_STR_ARG(id));
	news->number++;
	pthread_cond_broadcast(&news->told);
	pthread_mutex_unlock(&news->mutex);
}

enum pv_job_news_next pv_job_news_next(
    struct pv_job_news *news, uint64_t after, struct pv_job_change *change)
{
	enum pv_job_news_next next = PV_JOB_NEWS_NONE;
	pthread_mutex_lock(&news->mutex);
	uint64_t lost = news->change_count > PV_JOB_CHANGES
			    ? news->change_count - PV_JOB_CHANGES
			    : 0;
	if (after < lost) {
		next = PV_JOB_NEWS_GAP;
		*change = (struct pv_job_change){.number = lost};
	} else if (after < news->change_count) {
		next = PV_JOB_NEWS_CHANGE;
		*change = news->changes[after % PV_JOB_CHANGES];
	}
	pthread_mutex_unlock(&news->mutex);
	return next;
}

uint64_t pv_job_news_last(struct pv_job_news *news)
{
	pthread_mutex_lock(&news->mutex);
	uint64_t last = news->change_count;
	pthread_mutex_unlock(&news->mutex);
	return last;
}

uint64_t pv_job_news_number(struct pv_job_news *news)
{
	pthread_mutex_lock(&news->mutex);
	uint64_t number = news->number;
	pthread_mutex_unlock(&news->mutex);
	return number;
}

uint64_t pv_job_news_wait(
    struct pv_job_news *news, uint64_t seen, int64_t most_ms)
{
	int64_t until_ms = pv_time_now().monotonic_ms + most_ms;
	const struct timespec until = {
	    .tv_sec = until_ms / 1000, .tv_nsec = until_ms % 1000 * 1000000};
	int fault = 0;
	pthread_mutex_lock(&news->mutex);
	while (news->number == seen && !fault)
		fault =
		    pthread_cond_timedwait(&news->told, &news->mutex, &until);
	uint64_t number = news->number;
	pthread_mutex_unlock(&news->mutex);
	return number;
}
