#ifndef PAVANE_SERVE_JOBS_JOBS_STATE_H
#define PAVANE_SERVE_JOBS_JOBS_STATE_H

#include <pthread.h>

#include "serve/jobs/job_news.h"
#include "serve/jobs/job_run.h"
#include "serve/jobs/jobs.h"
#include "serve/jobs/result_lengths.h"

/* What the jobs of a service have in common with their keeper: the list on the
 * disk, and the crawls that are open. The mutex is held by who calls, unless a
 * function says otherwise. */

/* Answers to keys are repeated for so long. */
#define KEY_MS (INT64_C(24) * 3600 * 1000)

/* What the keeper has open. */
struct pv_open_job {
	struct pv_job_run *run;
	enum pv_job_state then; /* once its crawl has ended because it was
				   asked to; PV_JOB_RUNNING: it was not */
	bool has_ended;         /* which could not be written yet */
	struct pv_job_end end;
};

struct pv_jobs {
	struct pv_jobs_plan plan; /* its limits under the mutex */
	struct pavane_runtime *runtime;
	struct pv_figures *figures;
	pthread_t keeper;
	struct pv_hash_key key;
	bool has_keeper;
	pthread_t disk_watch;
	bool has_disk_watch;
	pthread_mutex_t line_mutex;
	struct pv_job_news changes; /* of any job, for who waits for them */
	struct pv_job_watches watches;
	struct pv_result_lengths lengths;

	pthread_mutex_t mutex;      /* of all that follows */
	pthread_cond_t news;        /* for the keeper */
	pthread_cond_t disk_news;   /* for who watches the disk */
	struct pv_job_store *store; /* NULL: it could not be opened anew ... */
	char fault[200];            /* ... and why */
	struct pv_open_job *open;
	size_t open_count;
	size_t open_size;
	struct pv_str opening; /* the job whose crawl is being opened; empty:
				  none is */
	int64_t tidied_ms;     /* when old jobs were looked for */
	uint64_t rounds;       /* that the keeper has begun */
	struct pv_pulse keeper_pulse;
	bool has_news;
	bool is_broken; /* jobs.db, as a line has said */
	bool is_draining;
	bool is_over; /* the keeper is to end, once nothing is open */
};

/* A line about a job; without the mutex, too. */
void pv_jobs_log(struct pv_jobs *jobs, enum pavane_level level,
    struct pv_str id, const char *line);

/* Wakes the keeper. */
void pv_jobs_ring(struct pv_jobs *jobs);

/* All crawls together keep the rate that the plan says. */
void pv_jobs_set_rate(struct pv_jobs *jobs);

/* Whether the list can be read and written. After a fault, such as a disk that
 * was full, the file is opened anew. */
bool pv_jobs_has_store(struct pv_jobs *jobs);

/* NULL if its crawl is not open. */
struct pv_open_job *pv_jobs_find_open(
    const struct pv_jobs *jobs, struct pv_str id);

/* Whether its crawl is open, or will be in a moment. */
bool pv_jobs_is_busy(const struct pv_jobs *jobs, struct pv_str id);

/* Whoever wants to know hears that a job has come to another state. */
void pv_jobs_tell_state(struct pv_jobs *jobs);

/* False, with a line, if it could not be written. */
bool pv_jobs_set_state(struct pv_jobs *jobs, struct pv_str id,
    enum pv_job_state state, struct pv_str reason);

/* Takes it from the list; its files, which can be many, are only set aside. */
bool pv_jobs_forget(struct pv_jobs *jobs, struct pv_str id);

#endif
