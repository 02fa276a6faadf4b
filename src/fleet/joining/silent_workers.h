#ifndef PAVANE_FLEET_JOINING_SILENT_WORKERS_H
#define PAVANE_FLEET_JOINING_SILENT_WORKERS_H

#include "fleet/beats/members.h"

/* Workers that count as living, seen by one that is none yet: it wants to change
 * what may be changed only where nobody lives.
 *
 * Who was killed counts as living until somebody reaps it. Where no worker is left
 * that would, this does, by the same rule: it has seen the same beat for a whole
 * ttl (fleet/beats/members.h).
 */
struct pv_fleet;

/* While it is looked. */
struct pv_silent_look {
	struct pv_fleet_members members; /* but for `own` */
	int64_t own;
	int64_t dead;        /* which is about to be reaped */
	uint64_t connection; /* by which they were seen */
	bool is_living;      /* one of them */
};

/* Waits until each of the others has either beaten or been reaped: in `others` how
 * many live. False if that cannot be known. */
bool pv_silent_workers_reap(
    struct pv_fleet *fleet, int64_t own, int64_t *others);

#endif
