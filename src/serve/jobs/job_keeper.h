#ifndef PAVANE_SERVE_JOBS_JOB_KEEPER_H
#define PAVANE_SERVE_JOBS_JOB_KEEPER_H

/* The thread that opens and closes the crawls of jobs: those that are queued have
 * their turn in their order, those that have ended are written down, and what was
 * kept for long enough is removed. */

/* Until the jobs are over and nothing is open any more; the context is a struct
 * pv_jobs. */
void *pv_job_keeper_run(void *ctx);

#endif
