#ifndef PAVANE_SERVE_JOBS_JOB_HOSTS_H
#define PAVANE_SERVE_JOBS_JOB_HOSTS_H

#include "serve/jobs/jobs.h"
#include "serve/jobs/waiting_hosts.h"
#include "store/service/paused_hosts.h"

/* The hosts of jobs: what they wait for, and which of them are paused for all
 * jobs, those that come later as well. From any thread. */

/* Each host that waits in a job that runs, until the function returns false; of
 * one owner's jobs, or with NULL of all. */
typedef bool (*pv_job_host_fn)(
    void *ctx, struct pv_str id, const struct pv_waiting_host *host);
void pv_jobs_each_host(struct pv_jobs *jobs, const struct pv_str *owner,
    pv_job_host_fn fn, void *ctx);

/* How a host is in each job that runs and has it, as its crawl says, which is
 * asked. The policy is that of the crawl; all is borrowed for the call. */
struct pv_job_host {
	struct pv_str id; /* of the job */
	const struct pavane_host_look *look;
	int64_t since_ms; /* 1970, for what it waits for; 0: nobody knows */
	const struct pavane_policy *policy;
	const char *directory; /* of the crawl */
};
typedef void (*pv_job_look_fn)(void *ctx, const struct pv_job_host *host);
void pv_jobs_look_host(struct pv_jobs *jobs, const struct pv_str *owner,
    const char *name, pv_job_look_fn fn, void *ctx);

/* Pauses a host for all jobs. When that is said to be done it is on the disk, and
 * crawls release no request to it from the next round of their loops on. The name
 * is one by pv_host_name_canonical. PV_JOBS_FULL: too many are. */
enum pv_jobs_answer pv_jobs_pause_host(
    struct pv_jobs *jobs, const struct pv_paused_host *host);

/* PV_JOBS_CONFLICT: it is not paused. */
enum pv_jobs_answer pv_jobs_resume_host(
    struct pv_jobs *jobs, struct pv_str name);

/* How it is paused; PV_JOBS_NONE if it is not. Texts are the arena's. */
enum pv_jobs_answer pv_jobs_get_pause(struct pv_jobs *jobs, struct pv_str name,
    struct pv_arena *arena, struct pv_paused_host *host);

/* Each that is paused, under the jobs' mutex. */
enum pv_jobs_answer pv_jobs_each_paused(
    struct pv_jobs *jobs, pv_paused_host_fn fn, void *ctx);

/* When the jobs are opened: pauses of an earlier process hold. */
void pv_jobs_restore_pauses(struct pv_jobs *jobs);

#endif
