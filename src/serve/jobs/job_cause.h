#ifndef PAVANE_SERVE_JOBS_JOB_CAUSE_H
#define PAVANE_SERVE_JOBS_JOB_CAUSE_H

#include "serve/jobs/job_run.h"

/* Why the seeds of a crawl that has ended could not be fetched, for whoever looks at
 * the list of jobs. */

/* Adds it to the reason of its end, where the crawl's directory leaves no doubt:
 * nothing was requested of what it knows, or there was one address. */
void pv_job_cause_add(const char *directory, struct pv_job_end *end);

#endif
