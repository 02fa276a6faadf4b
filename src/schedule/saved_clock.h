#ifndef PAVANE_SCHEDULE_SAVED_CLOCK_H
#define PAVANE_SCHEDULE_SAVED_CLOCK_H

#include "base/system.h"
#include "schedule/wait.h"

/* Clocks in a form that lasts, of a host and of the address where it lives:
 * what is left of the rest between requests, which is waited for in full, and
 * the wall clock for what may outlast a run, such as a Retry-After.
 */
struct pv_saved_clock {
	int64_t left_ms;
	int64_t until_wall_ms; /* when the next request may start */
	int64_t wait_ms;       /* the whole wait of which this is the end */
	enum pv_wait_reason reason;
	int64_t took_ms;
	int64_t rest_ms; /* of the back-off; 0 for none */
	int64_t rest_until_wall_ms;
	int64_t failures;             /* in a row */
	int64_t window_until_wall_ms; /* of the host's own bucket */
	int64_t window_count;
	int64_t address_left_ms; /* of the address's clock, the same ... */
	int64_t address_until_wall_ms; /* ... as of the host's */
	int64_t address_wait_ms;
};

/* A wait that was written down. */
struct pv_saved_wait {
	int64_t left_ms;
	int64_t until_wall_ms;
	int64_t wait_ms;
};

/* A time of the monotonic clock as one of the wall clock. Both are known in
 * whole milliseconds, which do not begin together, so that the difference is
 * one more or less from look to look: what lies ahead is rounded up, so that no
 * rest ends too soon by that. */
int64_t pv_saved_until_wall(int64_t until, struct pv_time now);

/* What stands in a file may be anything: a time that no sum makes overflow,
 * and that is not negative. */
int64_t pv_saved_ms(int64_t ms);

/* How long until then, however the wall clock has been set in between: at most
 * so long. Negative for what is past. */
int64_t pv_saved_wall_left(
    int64_t until_wall_ms, int64_t most_ms, int64_t wall_ms);

/* When the wait began, on the monotonic clock, which may have been long before
 * that did: with the last request. PV_LONG_AGO where none was made. */
#define PV_LONG_AGO (INT64_MIN / 4)
int64_t pv_saved_began_at(struct pv_saved_wait saved, struct pv_time now);

/* When a rest of so long ended that is over: it began with the last request,
 * of which the wait is to tell, and so is not nothing. */
int64_t pv_saved_due(int64_t asked_at, int64_t rest_ms, int64_t now);

/* The later of both readings, and never more than the wait itself. */
int64_t pv_saved_wait_left(struct pv_saved_wait saved, int64_t wall_ms);

#endif
