#include "serve/jobs/job_keeper.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "policy/policy.h"
#include "serve/jobs/job_files.h"
#include "serve/jobs/jobs_state.h"

/* Between two looks for jobs that ended too long ago. */
#define TIDY_MS (INT64_C(60) * 1000)

/* Between two tries to write what could not be written. */
#define AGAIN_MS 1000

#define WHY_BYTES_MAX ((size_t)4096)

static void on_crawl_end(void *ctx)
{
	struct pv_jobs *jobs = ctx;
	pthread_mutex_lock(&jobs->mutex);
	pv_jobs_ring(jobs);
	pthread_mutex_unlock(&jobs->mutex);
}

/* The loop does not wait for the jobs' mutex, which is held while their list is
 * written. */
static void on_crawl_news(void *ctx, struct pv_str id)
{
	struct pv_jobs *jobs = ctx;
	pv_job_watches_tell(&jobs->watches, id, false);
	pv_job_news_tell(&jobs->changes);
}

static int64_t crawl_now(void *ctx)
{
	return pv_jobs_now(ctx);
}

/* On the crawl's thread, or the keeper's; the mutex is not needed. */
static void on_crawl_line(
    void *ctx, struct pv_str id, enum pavane_level level, const char *line)
{
	pv_jobs_log(ctx, level, id, line);
}

static void write_problem(
    const struct pavane_policy *policy, struct pv_buf *why)
{
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	if (pavane_policy_problem(policy, 0, &problem))
		pv_buf_append_text(why, problem.sentence);
}

/* Without the mutex: reading a policy takes its time. */
static struct pv_job_run *open_run(
    struct pv_jobs *jobs, const struct pv_job_record *job, struct pv_buf *why)
{
	struct pv_buf directory;
	struct pavane_policy *policy = jobs->plan.load(jobs->plan.ctx, job);
	if (pavane_policy_problem_count(policy)) {
		write_problem(policy, why);
		pavane_policy_destroy(policy);
		return NULL;
	}
	pv_buf_init(&directory, SIZE_MAX);
	pv_jobs_write_directory(jobs, job->id, &directory);
	const struct pv_job_run_plan plan = {
	    .id = job->id,
	    .owner = job->owner,
	    .directory = pv_buf_text(&directory),
	    .policy = policy,
	    .runtime = jobs->runtime,
	    .state_dir = jobs->plan.state_dir,
	    .key = jobs->key,
	    .figures = jobs->figures,
	    .now_ms = crawl_now,
	    .on_end = on_crawl_end,
	    .on_news = on_crawl_news,
	    .on_line = on_crawl_line,
	    .ctx = jobs,
	};
	struct pv_job_run *run = pv_job_run_start(&plan, why);
	pv_buf_finish(&directory);
	return run;
}

/* While it was opened, it may have been asked to pause or to stop. */
static void note_run(
    struct pv_jobs *jobs, struct pv_str id, struct pv_job_run *run)
{
	struct pv_arena arena;
	struct pv_job_record job = {.state = PV_JOB_RUNNING};
	pv_arena_init(&arena);
	if (pv_jobs_has_store(jobs))
		pv_job_store_get(jobs->store, id, &arena, &job);
	*PV_ARRAY_PUSH(jobs->open, jobs->open_count, jobs->open_size) =
	    (struct pv_open_job){.run = run, .then = PV_JOB_RUNNING};
	struct pv_open_job *open = &jobs->open[jobs->open_count - 1];
	if (job.state == PV_JOB_STOPPING)
		open->then = PV_JOB_STOPPED;
	else if (job.state == PV_JOB_PAUSED)
		open->then = PV_JOB_PAUSED;
	if (open->then != PV_JOB_RUNNING || jobs->is_draining)
		pv_job_run_stop(run);
	pv_arena_finish(&arena);
}

/* Whether there was one to be begun. */
static bool begin_next(struct pv_jobs *jobs)
{
	struct pv_arena arena;
	struct pv_job_record job;
	struct pv_buf why;
	if (jobs->is_draining ||
	    jobs->open_count >= (size_t)jobs->plan.running ||
	    !pv_jobs_has_store(jobs))
		return false;
	pv_arena_init(&arena);
	/* One that still stands there as waiting would be begun twice. */
	bool is_there =
	    pv_job_store_next(jobs->store, &arena, &job) &&
	    pv_jobs_set_state(jobs, job.id, PV_JOB_RUNNING, PV_STR(""));
	if (is_there) {
		pv_buf_init(&why, WHY_BYTES_MAX);
		jobs->opening = job.id;
		pthread_mutex_unlock(&jobs->mutex);
		struct pv_job_run *run = open_run(jobs, &job, &why);
		if (!run)
			pv_jobs_log(
			    jobs, PAVANE_WARNING, job.id, pv_buf_text(&why));
		pthread_mutex_lock(&jobs->mutex);
		jobs->opening = PV_STR("");
		if (run)
			note_run(jobs, job.id, run);
		else
			pv_jobs_set_state(
			    jobs, job.id, PV_JOB_FAILED, pv_buf_str(&why));
		pv_buf_finish(&why);
	}
	pv_arena_finish(&arena);
	return is_there;
}

static enum pv_job_state state_of_end(
    const struct pv_open_job *open, const struct pv_job_end *end)
{
	switch (end->end) {
	case PAVANE_FINISHED:
	case PAVANE_NOT_BEGUN:
		return PV_JOB_FINISHED;
	case PAVANE_LIMITED:
		return PV_JOB_LIMITED;
	case PAVANE_STOPPED:
		break;
	default:
		return PV_JOB_FAILED;
	}
	if (open->then != PV_JOB_RUNNING)
		return open->then;
	return end->has_changed ? PV_JOB_QUEUED : PV_JOB_STOPPED;
}

/* Whether jobs.db has failed, so that what was to be written is not. */
static bool is_broken(const struct pv_jobs *jobs)
{
	return !jobs->store || pv_job_store_status(jobs->store) != PV_STORE_OK;
}

/* Whether that is written. A job that ended because the service does stays as it
 * was: the next process goes on with it; and so does one of which that cannot be
 * written until then. */
static bool end_run(struct pv_jobs *jobs, const struct pv_open_job *open)
{
	static const char missing[] = "a seed could not be fetched";
	const struct pv_job_end *end = &open->end;
	struct pv_str reason = pv_str_of(end->reason);
	char limit[100];
	bool is_put_off = jobs->is_draining && end->end == PAVANE_STOPPED &&
			  open->then == PV_JOB_RUNNING;
	if (is_put_off)
		return true;
	snprintf(limit, sizeof(limit),
	    "its directory takes more than the %lld bytes that jobs.disk allows",
	    (long long)jobs->plan.disk);
	if (open->then == PV_JOB_LIMITED && end->end == PAVANE_STOPPED)
		reason = pv_str_of(limit);
	if (!reason.len && end->end == PAVANE_NOT_BEGUN)
		reason = pv_str_of(missing);
	return pv_jobs_set_state(jobs, pv_job_run_id(open->run),
		   state_of_end(open, end), reason) ||
	       !is_broken(jobs) || jobs->is_over;
}

/* The crawl's thread may still wait for the mutex, to tell that it has ended. Only
 * the keeper adds and removes what is open, so that places stay as they are; and
 * the job ends once nothing writes to its directory any more. */
static void note_ends(struct pv_jobs *jobs)
{
	for (size_t i = 0; i < jobs->open_count; i++) {
		struct pv_job_run *run = jobs->open[i].run;
		struct pv_job_end end;
		if (jobs->open[i].has_ended || !pv_job_run_has_ended(run))
			continue;
		pthread_mutex_unlock(&jobs->mutex);
		pv_job_run_end(run, &end);
		pthread_mutex_lock(&jobs->mutex);
		jobs->open[i].end = end;
		jobs->open[i].has_ended = true;
	}
}

static void end_runs(struct pv_jobs *jobs)
{
	note_ends(jobs);
	for (size_t i = 0; i < jobs->open_count;) {
		struct pv_job_run *run = jobs->open[i].run;
		if (!jobs->open[i].has_ended ||
		    !end_run(jobs, &jobs->open[i])) {
			i++;
			continue;
		}
		jobs->open[i] = jobs->open[--jobs->open_count];
		pthread_mutex_unlock(&jobs->mutex);
		pv_job_run_destroy(run); /* waits for who holds it */
		pthread_mutex_lock(&jobs->mutex);
		i = 0;
	}
}

struct old_jobs {
	struct pv_arena arena;
	struct pv_str *ids;
	size_t count;
	size_t size;
	int64_t before_ms;
};

static bool note_old(void *ctx, const struct pv_job_record *job)
{
	struct old_jobs *old = ctx;
	if (pv_job_state_is_end(job->state) && job->ended_ms < old->before_ms)
		*PV_ARRAY_PUSH(old->ids, old->count, old->size) =
		    pv_arena_copy(&old->arena, job->id);
	return true;
}

/* What ended too long ago is removed: when something happens, but not for each
 * thing that does. Files go without the mutex. */
static void remove_old(struct pv_jobs *jobs)
{
	int64_t now = pv_jobs_now(jobs);
	struct old_jobs old = {.before_ms = now - jobs->plan.keep_ms};
	if (now - jobs->tidied_ms < TIDY_MS || !pv_jobs_has_store(jobs))
		return;
	jobs->tidied_ms = now;
	pv_job_store_forget_keys(jobs->store, now - KEY_MS);
	if (jobs->plan.keep_ms == PV_NONE)
		return;
	pv_arena_init(&old.arena);
	pv_job_store_each(jobs->store, 0, NULL, note_old, &old);
	for (size_t i = 0; i < old.count; i++)
		pv_jobs_forget(jobs, old.ids[i]);
	pthread_mutex_unlock(&jobs->mutex);
	for (size_t i = 0; i < old.count; i++)
		pv_job_files_remove(jobs->plan.directory, old.ids[i]);
	pthread_mutex_lock(&jobs->mutex);
	free(old.ids);
	pv_arena_finish(&old.arena);
}

/* Whether something could not be written; whoever asks may have opened jobs.db anew
 * since then. */
static bool is_behind(const struct pv_jobs *jobs)
{
	bool is_behind = jobs->is_broken || is_broken(jobs);
	for (size_t i = 0; i < jobs->open_count; i++)
		is_behind = is_behind || jobs->open[i].has_ended;
	return is_behind;
}

/* That is tried again. */
static void wait_for_news(struct pv_jobs *jobs)
{
	if (!is_behind(jobs)) {
		pthread_cond_wait(&jobs->news, &jobs->mutex);
		return;
	}
	int64_t until_ms = jobs->plan.ticks_ms(jobs->plan.ctx) + AGAIN_MS;
	const struct timespec until = {
	    .tv_sec = until_ms / 1000, .tv_nsec = until_ms % 1000 * 1000000};
	pthread_cond_timedwait(&jobs->news, &jobs->mutex, &until);
	jobs->has_news = true;
}

void *pv_job_keeper_run(void *ctx)
{
	struct pv_jobs *jobs = ctx;
	pthread_mutex_lock(&jobs->mutex);
	while (!jobs->is_over || jobs->open_count) {
		jobs->has_news = false;
		jobs->rounds++;
		end_runs(jobs);
		remove_old(jobs);
		while (begin_next(jobs))
			continue;
		while (!jobs->has_news && !(jobs->is_over && !jobs->open_count))
			wait_for_news(jobs);
	}
	pthread_mutex_unlock(&jobs->mutex);
	return NULL;
}
