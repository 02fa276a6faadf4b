#ifndef PAVANE_SCHEDULE_NEXT_HOST_H
#define PAVANE_SCHEDULE_NEXT_HOST_H

#include "base/system.h"

/* Which host is next. Inside of the schedule, for its own files.
 *
 * Of the hosts that may be asked now (schedule/gates.h) it is the one that has
 * waited longest. Waits whose time has come are ended as far as is needed to
 * find it: a host then stands in line for its clock, a clock for the address,
 * and a host at the front of both is asked unless this is not one of its
 * hours.
 */
struct pv_schedule;
struct pv_schedule_host;

/* The next host; NULL if none may be asked now. To be called again only when
 * that host was released. */
struct pv_schedule_host *pv_next_host_find(
    struct pv_schedule *schedule, struct pv_time now);

/* Hosts that wait for hours of the day are tried again if the wall clock, by
 * which their hours were reckoned, has been set since. */
void pv_next_host_heed_wall(struct pv_schedule *schedule, struct pv_time now);

#endif
