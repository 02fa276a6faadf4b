#ifndef PAVANE_SERVE_JOBS_JOB_PLACES_H
#define PAVANE_SERVE_JOBS_JOB_PLACES_H

#include <stdint.h>

/* How many jobs may run at once. Each needs files and sockets, of which the system
 * gives a process so many: jobs that would go without wait for their turn instead,
 * since one that cannot open its files has failed.
 *
 * So many of them are asked for, and so many files can be open; at least one. */
#define PV_JOB_DESCRIPTORS 64

int64_t pv_job_places(int64_t running, uint64_t descriptors);

#endif
