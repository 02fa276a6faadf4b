#ifndef PAVANE_SERVE_JOBS_JOBS_H
#define PAVANE_SERVE_JOBS_JOBS_H

#include "base/why.h"
#include "pavane/pavane.h"
#include "serve/jobs/job_news.h"
#include "serve/jobs/job_watches.h"
#include "store/service/job_store.h"

/* The jobs of a service: accepted onto the disk, run a few at a time in their
 * order, paused, stopped and continued.
 *
 * A thread of its own, the keeper, opens and closes crawls; each crawl runs on
 * its own. All functions may be called from any thread. What is said to have
 * been done is on the disk: after any end of the process, the next one goes on
 * with what was accepted and not ended.
 *
 * Pausing ends a job's crawl as a stop does, and resuming opens it again, so that
 * a paused job takes no memory. */
struct pv_jobs;

struct pv_jobs_plan {
	const char *directory; /* of the service: jobs.db, jobs/ID/ */
	int64_t running;       /* jobs at a time */
	int64_t queued;        /* and so many that wait */
	int64_t per_token;     /* of one owner that have not ended; PV_NONE */
	int64_t keep_ms;       /* for so long after its end; PV_NONE */
	int64_t disk;     /* bytes that the directory of one that runs may take;
			 PV_NONE */
	int64_t max_rate; /* requests of all together; PV_NONE */
	int64_t interval_ms; /* in each */
	const char
	    *state_dir; /* of all crawls; NULL: as the environment says */

	/* Time and chance, from outside: milliseconds since 1970; bytes that
	 * nobody can guess. In any thread. */
	int64_t (*now_ms)(void *ctx);
	int64_t (*ticks_ms)(void *ctx); /* CLOCK_MONOTONIC */
	void (*random)(void *ctx, void *bytes, size_t size);

	/* Makes the policy of a job; one that cannot be used, with its problems,
	 * where it has some. On the keeper's thread. */
	struct pavane_policy *(*load)(
	    void *ctx, const struct pv_job_record *job);

	/* A job has come to another state, as is on the disk. In any thread, with
	 * locks held: it must not wait. NULL: nobody wants to know. */
	void (*on_state)(void *ctx);

	pavane_line_fn on_line; /* in any thread, one at a time */
	void *line_ctx;
	void *ctx;
};

/* Takes over what an earlier process has left. NULL, with the reason, if that
 * cannot be done. The plan's texts outlive it. */
struct pv_jobs *pv_jobs_open(
    const struct pv_jobs_plan *plan, struct pv_why *why);

/* The plan's limits (running, queued, per_token, keep_ms, disk, max_rate, interval_ms)
 * take the place of those it had, for what comes from then on. */
void pv_jobs_change(struct pv_jobs *jobs, const struct pv_jobs_plan *plan);

/* Begins to run jobs; false, with the reason, if there is no thread. */
bool pv_jobs_start(struct pv_jobs *jobs, struct pv_why *why);

/* Takes no more jobs and begins none; all that run end what is in flight, side by
 * side, and go on in the next process. A second call does not wait for what is in
 * flight. */
void pv_jobs_drain(struct pv_jobs *jobs);

/* The same, and waits until no crawl is open any more; jobs can still be looked at.
 * NULL is fine here and below. */
void pv_jobs_end(struct pv_jobs *jobs);
void pv_jobs_close(struct pv_jobs *jobs);

/* What came of a request. */
enum pv_jobs_answer {
	PV_JOBS_DONE,
	PV_JOBS_BEFORE,   /* it was asked and done before, by that key */
	PV_JOBS_OTHER,    /* that key was used for something else */
	PV_JOBS_NONE,     /* there is no such job, for this owner */
	PV_JOBS_CONFLICT, /* not while it is in that state */
	PV_JOBS_FULL,     /* as many wait as may */
	PV_JOBS_MANY,     /* as many are this owner's as may be */
	PV_JOBS_ENDING,   /* the service is */
	PV_JOBS_FAULT,    /* nothing can be written: pv_jobs_write_fault */
};

/* Accepts a job: what it is to do, and whose it is, stand in the record, all else
 * is filled in. The id is valid as long as the arena, also of one that was
 * accepted before. */
enum pv_jobs_answer pv_jobs_add(struct pv_jobs *jobs, struct pv_job_record *job,
    const struct pv_job_key *key, struct pv_arena *arena);

/* Owners see their own; NULL sees all. */
enum pv_jobs_answer pv_jobs_get(struct pv_jobs *jobs,
    const struct pv_str *owner, struct pv_str id, struct pv_arena *arena,
    struct pv_job_record *job);
enum pv_jobs_answer pv_jobs_each(struct pv_jobs *jobs,
    const struct pv_str *owner, uint64_t after, pv_job_fn fn, void *ctx);

/* The same from the newest on; `before` that number, 0: from the last. */
enum pv_jobs_answer pv_jobs_each_back(struct pv_jobs *jobs,
    const struct pv_str *owner, uint64_t before, pv_job_fn fn, void *ctx);

enum pv_jobs_wish { PV_JOBS_PAUSE, PV_JOBS_RESUME, PV_JOBS_STOP };

/* PV_JOBS_CONFLICT: a job that has ended is neither paused nor stopped, and one
 * that is not paused and has not failed is not resumed. The state is that which it
 * has then. */
enum pv_jobs_answer pv_jobs_ask(struct pv_jobs *jobs,
    const struct pv_str *owner, struct pv_str id, enum pv_jobs_wish wish,
    enum pv_job_state *state);

/* Removes a job that has ended, or was never begun, with its directory. */
enum pv_jobs_answer pv_jobs_remove(
    struct pv_jobs *jobs, const struct pv_str *owner, struct pv_str id);

/* Appends the progress of one that runs as a JSON object; else nothing. */
void pv_jobs_write_progress(
    struct pv_jobs *jobs, struct pv_str id, struct pv_buf *json);

/* Waits until a job may have saved more, or is in another state, since the news
 * of that number, but not for longer than so many milliseconds. The number of the
 * last news, 0 being before all. */
uint64_t pv_jobs_wait(struct pv_jobs *jobs, uint64_t seen, int64_t most_ms);

/* For who waits for one job. */
struct pv_job_watches *pv_jobs_watches(struct pv_jobs *jobs);

/* How much of a file of a job that runs is committed, as of those news of it; the
 * state is looked at once for all who ask. */
uint64_t pv_jobs_result_length(struct pv_jobs *jobs, const char *directory,
    const char *file, uint64_t news);

/* What has happened to jobs (job_news.h). */
enum pv_job_news_next pv_jobs_next_change(
    struct pv_jobs *jobs, uint64_t after, struct pv_job_change *change);
uint64_t pv_jobs_last_change(struct pv_jobs *jobs);

/* The progress of each that runs, of one owner, or with NULL of all, as a JSON
 * object, borrowed for the call. */
typedef void (*pv_job_progress_fn)(
    void *ctx, struct pv_str id, struct pv_str progress);
void pv_jobs_each_progress(struct pv_jobs *jobs, const struct pv_str *owner,
    pv_job_progress_fn fn, void *ctx);

/* Whether the keeper and all crawls still go on; the time is that of a clock that
 * never jumps. For one caller at a time. */
bool pv_jobs_are_alive(struct pv_jobs *jobs, int64_t now_ms);

/* How many there are in each state. */
enum pv_jobs_answer pv_jobs_count(
    struct pv_jobs *jobs, uint64_t counts[PV_JOB_STATE_COUNT]);

/* What its crawls share. */
struct pavane_runtime *pv_jobs_runtime(const struct pv_jobs *jobs);

/* Now, as the plan says: milliseconds since 1970. */
int64_t pv_jobs_now(const struct pv_jobs *jobs);

/* What its crawls have done. */
struct pv_figures;
struct pv_figures *pv_jobs_figures(const struct pv_jobs *jobs);

/* The directory of a job. */
void pv_jobs_write_directory(
    const struct pv_jobs *jobs, struct pv_str id, struct pv_buf *path);

/* Why nothing can be written. */
void pv_jobs_write_fault(struct pv_jobs *jobs, struct pv_buf *text);

#endif
