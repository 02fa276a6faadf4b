#ifndef PAVANE_SERVE_JOBS_JOB_PLACES_H
#define PAVANE_SERVE_JOBS_JOB_PLACES_H

#include <stdint.h>

/* How many jobs may run at once. Each needs files and sockets, of which the system
 * gives a process so many: jobs that would go without wait for their turn instead,
 * since one that cannot open its files has failed.
 */
#define PV_JOB_DESCRIPTORS 64

/* Of as many as may run, where so many files can be open; at least one. */
int64_t pv_job_places(int64_t running, uint64_t descriptors);

/* How many requests of all jobs may be in flight then. */
unsigned pv_job_requests(uint64_t descriptors);

#endif
