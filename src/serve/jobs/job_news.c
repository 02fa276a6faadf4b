#include "serve/jobs/job_news.h"

#include "base/system.h"

void pv_job_news_init(struct pv_job_news *news)
{
	pthread_condattr_t by_monotonic;
	*news = (struct pv_job_news){.number = 0};
	pthread_mutex_init(&news->mutex, NULL);
	pthread_condattr_init(&by_monotonic);
	pthread_condattr_setclock(&by_monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&news->told, &by_monotonic);
	pthread_condattr_destroy(&by_monotonic);
}

void pv_job_news_finish(struct pv_job_news *news)
{
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

void pv_job_news_close(struct pv_job_news *news)
{
	pthread_mutex_lock(&news->mutex);
	news->is_closed = true;
	pthread_cond_broadcast(&news->told);
	pthread_mutex_unlock(&news->mutex);
}

uint64_t pv_job_news_wait(
    struct pv_job_news *news, uint64_t seen, int64_t most_ms)
{
	int64_t until_ms = pv_time_now().monotonic_ms + most_ms;
	const struct timespec until = {
	    .tv_sec = until_ms / 1000, .tv_nsec = until_ms % 1000 * 1000000};
	int fault = 0;
	pthread_mutex_lock(&news->mutex);
	while (news->number == seen && !news->is_closed && !fault)
		fault =
		    pthread_cond_timedwait(&news->told, &news->mutex, &until);
	uint64_t number = news->number;
	pthread_mutex_unlock(&news->mutex);
	return number;
}
