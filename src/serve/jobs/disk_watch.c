#include "serve/jobs/disk_watch.h"

#include <stdlib.h>
#include <time.h>

#include "base/array.h"
#include "base/system.h"
#include "policy/policy.h"
#include "serve/jobs/job_files.h"
#include "serve/jobs/jobs_state.h"

/* Between two looks: at least so long, and so many times as long as one took. */
#define REST_MS 1000
#define REST_TIMES 20

/* The jobs that run and are to run on. */
struct watched {
	struct pv_arena arena;
	struct pv_str *ids;
	size_t count;
	size_t size;
};

static void note(struct pv_jobs *jobs, struct watched *watched)
{
	for (size_t i = 0; i < jobs->open_count; i++) {
		const struct pv_open_job *open = &jobs->open[i];
		if (open->then == PV_JOB_RUNNING)
			*PV_ARRAY_PUSH(watched->ids, watched->count,
			    watched->size) = pv_arena_copy(&watched->arena,
			    pv_job_run_id(open->run));
	}
}

/* It may have ended, or been asked to, by now. */
static void limit(struct pv_jobs *jobs, struct pv_str id, uint64_t bytes)
{
	struct pv_open_job *open = pv_jobs_find_open(jobs, id);
	if (jobs->plan.disk == PV_NONE || bytes <= (uint64_t)jobs->plan.disk ||
	    !open || open->then != PV_JOB_RUNNING)
		return;
	open->then = PV_JOB_LIMITED;
	pv_job_run_stop(open->run);
}

/* The mutex is given back while files are looked at. */
static void look(struct pv_jobs *jobs)
{
	struct watched watched = {.count = 0};
	pv_arena_init(&watched.arena);
	note(jobs, &watched);
	for (size_t i = 0; i < watched.count && !jobs->is_over; i++) {
		pthread_mutex_unlock(&jobs->mutex);
		uint64_t bytes =
		    pv_job_files_bytes(jobs->plan.directory, watched.ids[i]);
		pthread_mutex_lock(&jobs->mutex);
		limit(jobs, watched.ids[i], bytes);
	}
	free(watched.ids);
	pv_arena_finish(&watched.arena);
}

static int64_t ticks_ms(const struct pv_jobs *jobs)
{
	return jobs->plan.ticks_ms(jobs->plan.ctx);
}

/* Until so long has passed, or somebody rings. */
static void rest(struct pv_jobs *jobs, int64_t ms)
{
	int64_t until_ms = ticks_ms(jobs) + ms;
	const struct timespec until = {
	    .tv_sec = until_ms / 1000, .tv_nsec = until_ms % 1000 * 1000000};
	pthread_cond_timedwait(&jobs->disk_news, &jobs->mutex, &until);
}

static void *watch(void *ctx)
{
	struct pv_jobs *jobs = ctx;
	pthread_mutex_lock(&jobs->mutex);
	while (!jobs->is_over) {
		if (jobs->plan.disk == PV_NONE) {
			pthread_cond_wait(&jobs->disk_news, &jobs->mutex);
			continue;
		}
		int64_t began_ms = ticks_ms(jobs);
		look(jobs);
		int64_t took_ms = ticks_ms(jobs) - began_ms;
		if (!jobs->is_over)
			rest(jobs, REST_MS + REST_TIMES * took_ms);
	}
	pthread_mutex_unlock(&jobs->mutex);
	return NULL;
}

bool pv_disk_watch_start(struct pv_jobs *jobs)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&jobs->disk_news, &attributes);
	pthread_condattr_destroy(&attributes);
	jobs->has_disk_watch =
	    pv_thread_start(&jobs->disk_watch, "pavane-disk", watch, jobs);
	if (!jobs->has_disk_watch)
		pthread_cond_destroy(&jobs->disk_news);
	return jobs->has_disk_watch;
}

void pv_disk_watch_ring(struct pv_jobs *jobs)
{
	if (jobs->has_disk_watch)
		pthread_cond_signal(&jobs->disk_news);
}

void pv_disk_watch_stop(struct pv_jobs *jobs)
{
	if (!jobs->has_disk_watch)
		return;
	pthread_mutex_lock(&jobs->mutex);
	pv_disk_watch_ring(jobs);
	pthread_mutex_unlock(&jobs->mutex);
	pthread_join(jobs->disk_watch, NULL);
	pthread_cond_destroy(&jobs->disk_news);
	jobs->has_disk_watch = false;
}
