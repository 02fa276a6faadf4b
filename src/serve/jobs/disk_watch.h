#ifndef PAVANE_SERVE_JOBS_DISK_WATCH_H
#define PAVANE_SERVE_JOBS_DISK_WATCH_H

#include <stdbool.h>

/* The thread that looks how much of the disk the directory of each job takes that
 * runs, and has one end that takes more than the plan allows (limited).
 *
 * It counts what is there: the state and its log, journals, rows and the mirror.
 * What it finds is a second old or so, and requests in flight still end, so that a
 * job can take a little more. It looks less often where looking takes long. */
struct pv_jobs;

/* False if there is no thread. */
bool pv_disk_watch_start(struct pv_jobs *jobs);

/* Other limits hold; with the mutex. */
void pv_disk_watch_ring(struct pv_jobs *jobs);

/* Once the jobs are over; if it was not started, nothing is done. */
void pv_disk_watch_stop(struct pv_jobs *jobs);

#endif
