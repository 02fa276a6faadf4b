#ifndef PAVANE_SCHEDULE_SLOWNESS_H
#define PAVANE_SCHEDULE_SLOWNESS_H

#include "schedule/pace.h"

/* Slowness: how a host that had too much to do (429, 503) is treated after the
 * rest that it gets for that.
 *
 * Each time doubles the rest between requests, from the pace's delay up to its
 * max_delay; each `forgive` without one, counted from the end of its rest,
 * halves it again.
 */
struct pv_slowness {
	int64_t rest_ms; /* between requests; 0 while it is not slowed */
	int64_t since;   /* from when it is forgiven */
};

void pv_slowness_double(
    struct pv_slowness *slowness, const struct pv_pace *pace);

/* Halves it for each `forgive` that has passed. */
void pv_slowness_forgive(
    struct pv_slowness *slowness, const struct pv_pace *pace, int64_t now);

/* When nothing is left of it; 0 if nothing is. */
int64_t pv_slowness_ends(
    const struct pv_slowness *slowness, const struct pv_pace *pace);

/* Takes up in another run, as far as the rest of the back-off shows it. */
void pv_slowness_restore(struct pv_slowness *slowness,
    const struct pv_pace *pace, int64_t backoff_ms, int64_t now);

#endif
