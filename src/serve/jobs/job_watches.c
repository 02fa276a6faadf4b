#include "serve/jobs/job_watches.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/system.h"

struct pv_job_watch {
	struct pv_line_link link;
	struct pv_buf id;
	size_t holders;
	struct pv_job_watch_news news;
	pthread_cond_t told;
};

void pv_job_watches_init(struct pv_job_watches *watches)
{
	*watches = (struct pv_job_watches){.number = 0};
	pthread_mutex_init(&watches->mutex, NULL);
	pthread_condattr_init(&watches->by_monotonic);
	pthread_condattr_setclock(&watches->by_monotonic, CLOCK_MONOTONIC);
}

void pv_job_watches_finish(struct pv_job_watches *watches)
{
	pthread_condattr_destroy(&watches->by_monotonic);
	pthread_mutex_destroy(&watches->mutex);
}

static struct pv_job_watch *find(
    const struct pv_job_watches *watches, struct pv_str id)
{
	struct pv_line_link *link = watches->line.first;
	for (; link; link = link->behind) {
		struct pv_job_watch *watch =
		    PV_WHOLE(struct pv_job_watch, link, link);
		if (pv_str_equal(pv_buf_str(&watch->id), id))
			return watch;
	}
	return NULL;
}

static struct pv_job_watch *create(
    struct pv_job_watches *watches, struct pv_str id)
{
	struct pv_job_watch *watch = pv_alloc(sizeof(*watch));
	pv_buf_init(&watch->id, SIZE_MAX);
	pv_buf_append(&watch->id, id);
	watch->news.number = ++watches->number;
	pthread_cond_init(&watch->told, &watches->by_monotonic);
	pv_line_add(&watches->line, &watch->link);
	return watch;
}

struct pv_job_watch *pv_job_watches_take(
    struct pv_job_watches *watches, struct pv_str id)
{
	pthread_mutex_lock(&watches->mutex);
	struct pv_job_watch *watch = find(watches, id);
	if (!watch)
		watch = create(watches, id);
	watch->holders++;
	pthread_mutex_unlock(&watches->mutex);
	return watch;
}

void pv_job_watches_give(
    struct pv_job_watches *watches, struct pv_job_watch *watch)
{
	pthread_mutex_lock(&watches->mutex);
	bool is_last = !--watch->holders;
	if (is_last)
		pv_line_remove(&watches->line, &watch->link);
	pthread_mutex_unlock(&watches->mutex);
	if (!is_last)
		return;
	pthread_cond_destroy(&watch->told);
	pv_buf_finish(&watch->id);
	free(watch);
}

void pv_job_watches_tell(
    struct pv_job_watches *watches, struct pv_str id, bool is_change)
{
	pthread_mutex_lock(&watches->mutex);
	struct pv_job_watch *watch = find(watches, id);
	watches->number++;
	if (watch) {
		watch->news.number = watches->number;
		watch->news.changes += is_change;
		pthread_cond_broadcast(&watch->told);
	}
	pthread_mutex_unlock(&watches->mutex);
}

struct pv_job_watch_news pv_job_watches_wait(struct pv_job_watches *watches,
    struct pv_job_watch *watch, uint64_t seen, int64_t most_ms)
{
	int64_t until_ms = pv_time_now().monotonic_ms + most_ms;
	const struct timespec until = {
	    .tv_sec = until_ms / 1000, .tv_nsec = until_ms % 1000 * 1000000};
	int fault = 0;
	pthread_mutex_lock(&watches->mutex);
	while (watch->news.number == seen && !fault)
		fault = pthread_cond_timedwait(
		    &watch->told, &watches->mutex, &until);
	struct pv_job_watch_news news = watch->news;
	pthread_mutex_unlock(&watches->mutex);
	return news;
}
