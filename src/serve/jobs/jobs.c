#include "serve/jobs/jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/system.h"
#include "policy/policy.h"
#include "serve/jobs/disk_watch.h"
#include "serve/jobs/job_files.h"
#include "serve/jobs/job_places.h"
#include "serve/jobs/job_hosts.h"
#include "serve/jobs/job_keeper.h"
#include "serve/jobs/jobs_state.h"

/* Of all crawls together: what one alone takes that is run by itself. */
#define CACHE_BYTES ((size_t)272 << 20)

/* Opening and closing */

struct left_jobs {
	struct pv_arena arena;
	struct pv_str *ids;
	size_t count;
	size_t size;
};

static bool take_over_one(void *ctx, const struct pv_job_record *job)
{
	struct left_jobs *old = ctx;
	if (job->state == PV_JOB_RUNNING || job->state == PV_JOB_STOPPING)
		*PV_ARRAY_PUSH(old->ids, old->count, old->size) =
		    pv_arena_copy(&old->arena, job->id);
	return true;
}

/* What ran goes on; what was to stop has stopped. */
static void take_over(struct pv_jobs *jobs)
{
	struct left_jobs old = {.count = 0};
	pv_arena_init(&old.arena);
	pv_job_store_each(jobs->store, 0, NULL, take_over_one, &old);
	for (size_t i = 0; i < old.count; i++) {
		struct pv_job_record job = {.state = PV_JOB_RUNNING};
		pv_job_store_get(jobs->store, old.ids[i], &old.arena, &job);
		pv_jobs_set_state(jobs, old.ids[i],
		    job.state == PV_JOB_STOPPING ? PV_JOB_STOPPED
						 : PV_JOB_QUEUED,
		    PV_STR(""));
	}
	free(old.ids);
	pv_arena_finish(&old.arena);
}

static bool finish_removal(void *ctx, struct pv_str id)
{
	struct pv_job_store *store = ctx;
	pv_job_store_remove(store, id);
	return pv_job_store_status(store) == PV_STORE_OK;
}

/* It waits by the clock of ticks_ms. */
static void init_news(pthread_cond_t *news)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(news, &attributes);
	pthread_condattr_destroy(&attributes);
}

struct pv_jobs *pv_jobs_open(
    const struct pv_jobs_plan *plan, struct pv_why *why)
{
	struct pavane_runtime_options options =
	    PAVANE_INIT(struct pavane_runtime_options);
	if (!pv_job_files_init(plan->directory)) {
		pv_why_add(why, (struct pv_place){.file = plan->directory},
		    PV_STR(""), "the jobs' directory cannot be made: %s",
		    strerror(errno));
		return NULL;
	}
	struct pv_job_store *store = pv_job_store_open(plan->directory, why);
	if (!store)
		return NULL;
	pv_job_files_tidy(plan->directory, finish_removal, store);
	struct pv_jobs *jobs = pv_alloc(sizeof(*jobs));
	jobs->plan = *plan;
	jobs->store = store;
	options.cache_bytes = CACHE_BYTES;
	options.concurrency = pv_job_requests(pv_descriptors_limit());
	jobs->runtime = pavane_runtime_open(&options);
	pv_jobs_set_rate(jobs);
	jobs->figures = pv_figures_create();
	pthread_mutex_init(&jobs->mutex, NULL);
	pthread_mutex_init(&jobs->line_mutex, NULL);
	init_news(&jobs->news);
	pv_job_news_init(&jobs->changes);
	pv_job_watches_init(&jobs->watches);
	pv_result_lengths_init(&jobs->lengths);
	plan->random(plan->ctx, &jobs->key, sizeof(jobs->key));
	take_over(jobs);
	pv_jobs_restore_pauses(jobs);
	return jobs;
}

bool pv_jobs_start(struct pv_jobs *jobs, struct pv_why *why)
{
	jobs->has_keeper =
	    jobs->runtime && pv_thread_start(&jobs->keeper, "pavane-jobs",
				 pv_job_keeper_run, jobs);
	bool is_started = jobs->has_keeper && pv_disk_watch_start(jobs);
	if (!is_started)
		pv_why_add(why, (struct pv_place){0}, PV_STR(""),
		    "no further thread can be started");
	return is_started;
}

/* The mutex is held. */
static void drain(struct pv_jobs *jobs)
{
	jobs->is_draining = true;
	for (size_t i = 0; i < jobs->open_count; i++)
		pv_job_run_stop(jobs->open[i].run);
}

void pv_jobs_drain(struct pv_jobs *jobs)
{
	pthread_mutex_lock(&jobs->mutex);
	drain(jobs);
	pthread_mutex_unlock(&jobs->mutex);
}

void pv_jobs_end(struct pv_jobs *jobs)
{
	if (!jobs)
		return;
	pthread_mutex_lock(&jobs->mutex);
	if (!jobs->is_draining)
		drain(jobs);
	jobs->is_over = true;
	pv_jobs_ring(jobs);
	pthread_mutex_unlock(&jobs->mutex);
	if (jobs->has_keeper)
		pthread_join(jobs->keeper, NULL);
	jobs->has_keeper = false;
	pv_disk_watch_stop(jobs);
}

void pv_jobs_close(struct pv_jobs *jobs)
{
	if (!jobs)
		return;
	pv_jobs_end(jobs);
	pavane_runtime_close(jobs->runtime);
	pv_figures_destroy(jobs->figures);
	pv_job_store_close(jobs->store);
	pv_job_news_finish(&jobs->changes);
	pv_result_lengths_finish(&jobs->lengths);
	pv_job_watches_finish(&jobs->watches);
	pthread_cond_destroy(&jobs->news);
	pthread_mutex_destroy(&jobs->line_mutex);
	pthread_mutex_destroy(&jobs->mutex);
	free(jobs->open);
	free(jobs);
}

/* Requests */

/* A time, so that ids sort by it, and what nobody guesses. */
static struct pv_str make_id(struct pv_jobs *jobs, struct pv_arena *arena)
{
	uint64_t chance;
	jobs->plan.random(jobs->plan.ctx, &chance, sizeof(chance));
	return pv_str_of(pv_arena_format(arena, "%010llx%010llx",
	    (unsigned long long)pv_jobs_now(jobs) / 1000 & 0xffffffffffULL,
	    (unsigned long long)chance & 0xffffffffffULL));
}

/* Whether one more of that owner may wait. */
static enum pv_jobs_answer may_wait(
    const struct pv_jobs *jobs, struct pv_str owner)
{
	if (pv_job_store_count(jobs->store, PV_JOB_QUEUED) >=
	    (uint64_t)jobs->plan.queued)
		return PV_JOBS_FULL;
	if (jobs->plan.per_token != PV_NONE &&
	    pv_job_store_count_open(jobs->store, owner) >=
		(uint64_t)jobs->plan.per_token)
		return PV_JOBS_MANY;
	return PV_JOBS_DONE;
}

static enum pv_jobs_answer accept(struct pv_jobs *jobs,
    struct pv_job_record *job, const struct pv_job_key *key,
    struct pv_arena *arena)
{
	bool is_same;
	if (jobs->is_draining)
		return PV_JOBS_ENDING;
	if (!pv_jobs_has_store(jobs))
		return PV_JOBS_FAULT;
	if (key->key.len &&
	    pv_job_store_find_key(jobs->store, key, pv_jobs_now(jobs) - KEY_MS,
		arena, &job->id, &is_same))
		return is_same ? PV_JOBS_BEFORE : PV_JOBS_OTHER;
	enum pv_jobs_answer answer = may_wait(jobs, job->owner);
	if (answer != PV_JOBS_DONE)
		return answer;
	job->id = make_id(jobs, arena);
	job->created_ms = pv_jobs_now(jobs);
	if (!pv_job_store_add(jobs->store, job, key))
		return PV_JOBS_FAULT;
	pv_job_news_tell_change(&jobs->changes, job->id, PV_JOB_QUEUED);
	pv_jobs_tell_state(jobs);
	pv_jobs_ring(jobs);
	return PV_JOBS_DONE;
}

enum pv_jobs_answer pv_jobs_add(struct pv_jobs *jobs, struct pv_job_record *job,
    const struct pv_job_key *key, struct pv_arena *arena)
{
	pthread_mutex_lock(&jobs->mutex);
	enum pv_jobs_answer answer = accept(jobs, job, key, arena);
	pthread_mutex_unlock(&jobs->mutex);
	return answer;
}

static enum pv_jobs_answer get(struct pv_jobs *jobs, const struct pv_str *owner,
    struct pv_str id, struct pv_arena *arena, struct pv_job_record *job)
{
	if (!pv_jobs_has_store(jobs))
		return PV_JOBS_FAULT;
	if (pv_job_store_get(jobs->store, id, arena, job) &&
	    (!owner || pv_str_equal(job->owner, *owner)))
		return PV_JOBS_DONE;
	return pv_job_store_status(jobs->store) == PV_STORE_OK ? PV_JOBS_NONE
							       : PV_JOBS_FAULT;
}

enum pv_jobs_answer pv_jobs_get(struct pv_jobs *jobs,
    const struct pv_str *owner, struct pv_str id, struct pv_arena *arena,
    struct pv_job_record *job)
{
	pthread_mutex_lock(&jobs->mutex);
	enum pv_jobs_answer answer = get(jobs, owner, id, arena, job);
	pthread_mutex_unlock(&jobs->mutex);
	return answer;
}

enum pv_jobs_answer pv_jobs_each(struct pv_jobs *jobs,
    const struct pv_str *owner, uint64_t after, pv_job_fn fn, void *ctx)
{
	pthread_mutex_lock(&jobs->mutex);
	bool is_there = pv_jobs_has_store(jobs);
	if (is_there)
		pv_job_store_each(jobs->store, after, owner, fn, ctx);
	pthread_mutex_unlock(&jobs->mutex);
	return is_there ? PV_JOBS_DONE : PV_JOBS_FAULT;
}

enum pv_jobs_answer pv_jobs_each_back(struct pv_jobs *jobs,
    const struct pv_str *owner, uint64_t before, pv_job_fn fn, void *ctx)
{
	pthread_mutex_lock(&jobs->mutex);
	bool is_there = pv_jobs_has_store(jobs);
	if (is_there)
		pv_job_store_each_back(jobs->store, before, owner, fn, ctx);
	pthread_mutex_unlock(&jobs->mutex);
	return is_there ? PV_JOBS_DONE : PV_JOBS_FAULT;
}

/* One whose crawl is open, or being opened, has to end first. */
static void pause(struct pv_jobs *jobs, struct pv_str id)
{
	struct pv_open_job *open = pv_jobs_find_open(jobs, id);
	pv_jobs_set_state(jobs, id, PV_JOB_PAUSED, PV_STR(""));
	if (!open)
		return;
	open->then = PV_JOB_PAUSED;
	pv_job_run_stop(open->run);
}

/* Where its crawl still ends, that is opened again afterwards. */
static void resume(struct pv_jobs *jobs, struct pv_str id)
{
	struct pv_open_job *open = pv_jobs_find_open(jobs, id);
	pv_jobs_set_state(jobs, id,
	    pv_jobs_is_busy(jobs, id) ? PV_JOB_RUNNING : PV_JOB_QUEUED,
	    PV_STR(""));
	if (open)
		open->then = PV_JOB_QUEUED;
	pv_jobs_ring(jobs);
}

/* The same; a job that nothing runs stops at once, whatever was written of it. */
static void stop(struct pv_jobs *jobs, struct pv_str id)
{
	struct pv_open_job *open = pv_jobs_find_open(jobs, id);
	pv_jobs_set_state(jobs, id,
	    pv_jobs_is_busy(jobs, id) ? PV_JOB_STOPPING : PV_JOB_STOPPED,
	    PV_STR(""));
	if (!open)
		return;
	open->then = PV_JOB_STOPPED;
	pv_job_run_stop(open->run);
}

/* One that has failed takes a place among those that wait anew. */
static enum pv_jobs_answer may_resume(
    const struct pv_jobs *jobs, const struct pv_job_record *job)
{
	if (job->state == PV_JOB_PAUSED)
		return PV_JOBS_DONE;
	return job->state == PV_JOB_FAILED ? may_wait(jobs, job->owner)
					   : PV_JOBS_CONFLICT;
}

static enum pv_jobs_answer carry_out(struct pv_jobs *jobs, struct pv_str id,
    enum pv_jobs_wish wish, const struct pv_job_record *job)
{
	enum pv_job_state state = job->state;
	enum pv_jobs_answer answer;
	switch (wish) {
	case PV_JOBS_PAUSE:
		if (state != PV_JOB_QUEUED && state != PV_JOB_RUNNING)
			return PV_JOBS_CONFLICT;
		pause(jobs, id);
		return PV_JOBS_DONE;
	case PV_JOBS_RESUME:
		answer = may_resume(jobs, job);
		if (answer == PV_JOBS_DONE)
			resume(jobs, id);
		return answer;
	case PV_JOBS_STOP:
		if (pv_job_state_is_end(state))
			return PV_JOBS_CONFLICT;
		stop(jobs, id);
		return PV_JOBS_DONE;
	}
	return PV_JOBS_NONE;
}

static enum pv_jobs_answer ask(struct pv_jobs *jobs, const struct pv_str *owner,
    struct pv_str id, enum pv_jobs_wish wish, enum pv_job_state *state)
{
	struct pv_arena arena;
	struct pv_job_record job;
	pv_arena_init(&arena);
	enum pv_jobs_answer answer = get(jobs, owner, id, &arena, &job);
	if (answer == PV_JOBS_DONE) {
		answer = carry_out(jobs, id, wish, &job);
		*state = job.state;
	}
	if (answer == PV_JOBS_DONE) {
		answer = get(jobs, owner, id, &arena, &job);
		*state = job.state;
	}
	pv_arena_finish(&arena);
	return answer;
}

enum pv_jobs_answer pv_jobs_ask(struct pv_jobs *jobs,
    const struct pv_str *owner, struct pv_str id, enum pv_jobs_wish wish,
    enum pv_job_state *state)
{
	pthread_mutex_lock(&jobs->mutex);
	enum pv_jobs_answer answer = ask(jobs, owner, id, wish, state);
	pthread_mutex_unlock(&jobs->mutex);
	return answer;
}

static enum pv_jobs_answer take_out(
    struct pv_jobs *jobs, const struct pv_str *owner, struct pv_str id)
{
	struct pv_arena arena;
	struct pv_job_record job;
	pv_arena_init(&arena);
	enum pv_jobs_answer answer = get(jobs, owner, id, &arena, &job);
	if (answer == PV_JOBS_DONE &&
	    (pv_jobs_is_busy(jobs, id) || job.state == PV_JOB_RUNNING ||
		job.state == PV_JOB_STOPPING))
		answer = PV_JOBS_CONFLICT;
	if (answer == PV_JOBS_DONE && !pv_jobs_forget(jobs, id))
		answer = PV_JOBS_FAULT;
	pv_arena_finish(&arena);
	return answer;
}

enum pv_jobs_answer pv_jobs_remove(
    struct pv_jobs *jobs, const struct pv_str *owner, struct pv_str id)
{
	pthread_mutex_lock(&jobs->mutex);
	enum pv_jobs_answer answer = take_out(jobs, owner, id);
	pthread_mutex_unlock(&jobs->mutex);
	if (answer == PV_JOBS_DONE &&
	    !pv_job_files_remove(jobs->plan.directory, id))
		pv_jobs_log(jobs, PAVANE_WARNING, id,
		    "not all files of its directory could be removed");
	return answer;
}

void pv_jobs_write_progress(
    struct pv_jobs *jobs, struct pv_str id, struct pv_buf *json)
{
	pthread_mutex_lock(&jobs->mutex);
	struct pv_open_job *open = pv_jobs_find_open(jobs, id);
	if (open)
		pv_job_run_write_progress(open->run, json);
	pthread_mutex_unlock(&jobs->mutex);
}

void pv_jobs_each_progress(struct pv_jobs *jobs, const struct pv_str *owner,
    pv_job_progress_fn fn, void *ctx)
{
	struct pv_buf json;
	pv_buf_init(&json, SIZE_MAX);
	pthread_mutex_lock(&jobs->mutex);
	for (size_t i = 0; i < jobs->open_count; i++) {
		struct pv_job_run *run = jobs->open[i].run;
		if (owner && !pv_str_equal(pv_job_run_owner(run), *owner))
			continue;
		pv_buf_clear(&json);
		pv_job_run_write_progress(run, &json);
		if (json.len)
			fn(ctx, pv_job_run_id(run), pv_buf_str(&json));
	}
	pthread_mutex_unlock(&jobs->mutex);
	pv_buf_finish(&json);
}

struct pv_job_watches *pv_jobs_watches(struct pv_jobs *jobs)
{
	return &jobs->watches;
}

uint64_t pv_jobs_result_length(struct pv_jobs *jobs, const char *directory,
    const char *file, uint64_t news)
{
	return pv_result_lengths_get(&jobs->lengths, directory, file, news);
}

enum pv_job_news_next pv_jobs_next_change(
    struct pv_jobs *jobs, uint64_t after, struct pv_job_change *change)
{
	return pv_job_news_next(&jobs->changes, after, change);
}

uint64_t pv_jobs_last_change(struct pv_jobs *jobs)
{
	return pv_job_news_last(&jobs->changes);
}

enum pv_jobs_answer pv_jobs_count(
    struct pv_jobs *jobs, uint64_t counts[PV_JOB_STATE_COUNT])
{
	pthread_mutex_lock(&jobs->mutex);
	bool is_there = pv_jobs_has_store(jobs);
	for (unsigned i = 0; is_there && i < PV_JOB_STATE_COUNT; i++)
		counts[i] =
		    pv_job_store_count(jobs->store, (enum pv_job_state)i);
	pthread_mutex_unlock(&jobs->mutex);
	return is_there ? PV_JOBS_DONE : PV_JOBS_FAULT;
}

struct pavane_runtime *pv_jobs_runtime(const struct pv_jobs *jobs)
{
	return jobs->runtime;
}

void pv_jobs_write_directory(
    const struct pv_jobs *jobs, struct pv_str id, struct pv_buf *path)
{
	pv_buf_append_format(
	    path, "%s/jobs/%.*s", jobs->plan.directory, PV_STR_ARG(id));
}

void pv_jobs_write_fault(struct pv_jobs *jobs, struct pv_buf *text)
{
	pthread_mutex_lock(&jobs->mutex);
	pv_buf_append_text(
	    text, jobs->store ? pv_job_store_fault(jobs->store) : jobs->fault);
	pthread_mutex_unlock(&jobs->mutex);
}

uint64_t pv_jobs_wait(struct pv_jobs *jobs, uint64_t seen, int64_t most_ms)
{
	return pv_job_news_wait(&jobs->changes, seen, most_ms);
}
