#ifndef PAVANE_SERVE_JOBS_JOB_FILES_H
#define PAVANE_SERVE_JOBS_JOB_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The directory of a job, jobs/ID below the service's. */

/* Makes "jobs" itself; false with errno. */
bool pv_job_files_init(const char *directory);

/* Gives the directory of a job a name that no job has: the first step of its
 * removal, before the list of jobs is changed, so that one that is broken off is
 * finished by the next process. False with errno; there may be no directory. */
bool pv_job_files_set_aside(const char *directory, struct pv_str id);

/* Removes all of a job's. False with errno. */
bool pv_job_files_remove(const char *directory, struct pv_str id);

/* How much of the disk it takes, with all that is in it, as far as that can be
 * read. A file with several names counts once if all of them are there. */
uint64_t pv_job_files_bytes(const char *directory, struct pv_str id);

/* The same of any directory. */
uint64_t pv_files_bytes(const char *path);

/* Finishes removals that were broken off: of each job first the function removes
 * what else there is of it, and says whether it could. */
typedef bool (*pv_job_files_fn)(void *ctx, struct pv_str id);
void pv_job_files_tidy(const char *directory, pv_job_files_fn fn, void *ctx);

#endif
