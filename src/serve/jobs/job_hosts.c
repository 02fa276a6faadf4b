#include "serve/jobs/job_hosts.h"

#include <stdio.h>
#include <stdlib.h>

#include "api/crawl/runtime.h"
#include "base/alloc.h"
#include "serve/jobs/jobs_state.h"

/* Waiting */

struct waiting_walk {
	struct pv_str id;
	pv_job_host_fn fn;
	void *ctx;
};

static bool give_host(void *ctx, const struct pv_waiting_host *host)
{
	struct waiting_walk *walk = ctx;
	return walk->fn(walk->ctx, walk->id, host);
}

static bool is_of(const struct pv_job_run *run, const struct pv_str *owner)
{
	return !owner || pv_str_equal(pv_job_run_owner(run), *owner);
}

void pv_jobs_each_host(struct pv_jobs *jobs, const struct pv_str *owner,
    pv_job_host_fn fn, void *ctx)
{
	struct waiting_walk walk = {.fn = fn, .ctx = ctx};
	pthread_mutex_lock(&jobs->mutex);
	for (size_t i = 0; i < jobs->open_count; i++) {
		struct pv_job_run *run = jobs->open[i].run;
		if (!is_of(run, owner))
			continue;
		walk.id = pv_job_run_id(run);
		pv_job_run_each_host(run, give_host, &walk);
	}
	pthread_mutex_unlock(&jobs->mutex);
}

/* Looking closer: crawls are asked without the mutex */

static struct pv_job_run **hold_runs(
    struct pv_jobs *jobs, const struct pv_str *owner, size_t *count)
{
	pthread_mutex_lock(&jobs->mutex);
	struct pv_job_run **runs =
	    pv_alloc_array(jobs->open_count + 1, sizeof(*runs));
	*count = 0;
	for (size_t i = 0; i < jobs->open_count; i++) {
		if (!is_of(jobs->open[i].run, owner))
			continue;
		runs[(*count)++] = jobs->open[i].run;
		pv_job_run_hold(jobs->open[i].run);
	}
	pthread_mutex_unlock(&jobs->mutex);
	return runs;
}

void pv_jobs_look_host(struct pv_jobs *jobs, const struct pv_str *owner,
    const char *name, pv_job_look_fn fn, void *ctx)
{
	size_t count;
	struct pv_job_run **runs = hold_runs(jobs, owner, &count);
	struct pv_buf directory;
	pv_buf_init(&directory, SIZE_MAX);
	for (size_t i = 0; i < count; i++) {
		struct pavane_host_look look =
		    PAVANE_INIT(struct pavane_host_look);
		pv_buf_clear(&directory);
		pv_jobs_write_directory(
		    jobs, pv_job_run_id(runs[i]), &directory);
		const struct pv_job_host host = {
		    .id = pv_job_run_id(runs[i]),
		    .look = &look,
		    .since_ms = pv_job_run_waits_since(runs[i], name),
		    .policy = pv_job_run_policy(runs[i]),
		    .directory = pv_buf_text(&directory),
		};
		if (pv_job_run_look_host(runs[i], name, &look))
			fn(ctx, &host);
		pv_job_run_let_go(runs[i]);
	}
	pv_buf_finish(&directory);
	free(runs);
}

/* Pauses */

static bool pause_now(struct pv_jobs *jobs, const struct pv_paused_host *host)
{
	struct pv_pause pause = {
	    .since_wall_ms = host->since_ms,
	    .until_wall_ms = host->until_ms,
	};
	struct pv_buf name;
	snprintf(
	    pause.why, sizeof(pause.why), "%.*s", PV_STR_ARG(host->reason));
	pv_buf_init(&name, SIZE_MAX);
	pv_buf_append(&name, host->name);
	bool is_paused =
	    pv_runtime_pause_since(jobs->runtime, pv_buf_text(&name), &pause);
	pv_buf_finish(&name);
	return is_paused;
}

static void resume_now(struct pv_jobs *jobs, struct pv_str host)
{
	struct pv_buf name;
	pv_buf_init(&name, SIZE_MAX);
	pv_buf_append(&name, host);
	pavane_runtime_resume_host(jobs->runtime, pv_buf_text(&name));
	pv_buf_finish(&name);
}

struct search {
	struct pv_str name;
	struct pv_arena *arena;
	struct pv_paused_host *found;
	bool is_there;
};

static bool find(void *ctx, const struct pv_paused_host *host)
{
	struct search *search = ctx;
	if (!pv_str_equal(host->name, search->name))
		return true;
	*search->found = *host;
	search->found->name = pv_arena_copy(search->arena, host->name);
	search->found->reason = pv_arena_copy(search->arena, host->reason);
	search->found->by = pv_arena_copy(search->arena, host->by);
	search->is_there = true;
	return false;
}

static bool is_paused(struct pv_jobs *jobs, struct pv_str name)
{
	struct pv_arena arena;
	struct pv_paused_host host;
	struct search search = {.name = name, .arena = &arena, .found = &host};
	pv_arena_init(&arena);
	pv_paused_hosts_each(jobs->store, find, &search);
	pv_arena_finish(&arena);
	return search.is_there;
}

/* It holds before it is written. What cannot be written is taken back, but not
 * where the host was paused before: too long a pause does no harm. */
static enum pv_jobs_answer pause(
    struct pv_jobs *jobs, const struct pv_paused_host *host)
{
	if (!pv_jobs_has_store(jobs))
		return PV_JOBS_FAULT;
	pv_paused_hosts_tidy(jobs->store, pv_jobs_now(jobs));
	bool was_paused = is_paused(jobs, host->name);
	if (!pause_now(jobs, host))
		return PV_JOBS_FULL;
	if (pv_paused_hosts_put(jobs->store, host))
		return PV_JOBS_DONE;
	if (!was_paused)
		resume_now(jobs, host->name);
	return PV_JOBS_FAULT;
}

enum pv_jobs_answer pv_jobs_pause_host(
    struct pv_jobs *jobs, const struct pv_paused_host *host)
{
	pthread_mutex_lock(&jobs->mutex);
	enum pv_jobs_answer answer = pause(jobs, host);
	pthread_mutex_unlock(&jobs->mutex);
	pv_job_news_tell(&jobs->changes);
	return answer;
}

static enum pv_jobs_answer resume(struct pv_jobs *jobs, struct pv_str name)
{
	if (!pv_jobs_has_store(jobs))
		return PV_JOBS_FAULT;
	pv_paused_hosts_tidy(jobs->store, pv_jobs_now(jobs));
	bool was_paused = pv_paused_hosts_remove(jobs->store, name);
	if (pv_job_store_status(jobs->store) != PV_STORE_OK)
		return PV_JOBS_FAULT;
	resume_now(jobs, name);
	return was_paused ? PV_JOBS_DONE : PV_JOBS_CONFLICT;
}

enum pv_jobs_answer pv_jobs_resume_host(
    struct pv_jobs *jobs, struct pv_str name)
{
	pthread_mutex_lock(&jobs->mutex);
	enum pv_jobs_answer answer = resume(jobs, name);
	pthread_mutex_unlock(&jobs->mutex);
	pv_job_news_tell(&jobs->changes);
	return answer;
}

enum pv_jobs_answer pv_jobs_each_paused(
    struct pv_jobs *jobs, pv_paused_host_fn fn, void *ctx)
{
	pthread_mutex_lock(&jobs->mutex);
	bool is_there = pv_jobs_has_store(jobs);
	if (is_there) {
		pv_paused_hosts_tidy(jobs->store, pv_jobs_now(jobs));
		pv_paused_hosts_each(jobs->store, fn, ctx);
	}
	pthread_mutex_unlock(&jobs->mutex);
	return is_there ? PV_JOBS_DONE : PV_JOBS_FAULT;
}

enum pv_jobs_answer pv_jobs_get_pause(struct pv_jobs *jobs, struct pv_str name,
    struct pv_arena *arena, struct pv_paused_host *host)
{
	struct search search = {.name = name, .arena = arena, .found = host};
	enum pv_jobs_answer answer = pv_jobs_each_paused(jobs, find, &search);
	return answer == PV_JOBS_DONE && !search.is_there ? PV_JOBS_NONE
							  : answer;
}

static bool restore(void *ctx, const struct pv_paused_host *host)
{
	struct pv_jobs *jobs = ctx;
	pause_now(jobs, host);
	return true;
}

void pv_jobs_restore_pauses(struct pv_jobs *jobs)
{
	pv_paused_hosts_tidy(jobs->store, pv_jobs_now(jobs));
	pv_paused_hosts_each(jobs->store, restore, jobs);
}
