#ifndef PAVANE_SCHEDULE_SCHEDULER_H
#define PAVANE_SCHEDULE_SCHEDULER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schedule/schedule.h"
#include "schedule/wait.h"

/* The scheduler: the task that wakes each `interval` and releases at most
 * `max_rate` requests.
 *
 * There is one for the whole crawl. At each tick, which is at its start + n
 * times the interval, its tokens are set to min(burst, tokens + max_rate), and
 * it begins with max_rate; so in any span W no more than
 * burst + max_rate * ceil(W / interval) requests are released.
 *
 * When it wakes (pv_scheduler_wake) it spends its tokens: one for each host
 * that may be asked, the one that has waited longest first (next_host.h), as
 * long as the executor has a place for the request (executor.h). What is left
 * stays until the next tick.
 *
 * It does not wake for nothing. While there is more to do than max_rate allows
 * it wakes at each tick; while tokens are left, when the rest of the first host
 * ends; and while nothing is to be done or no place is free, not before that
 * changes. So the loop needs one timer (pv_scheduler_next_wake) for any number
 * of hosts. Ticks that it has slept through it adds up when it wakes, which
 * makes what waking at each of them would have made.
 *
 * A server sees a request when its bytes go out, which is some time after its
 * release. Who wakes every now and then hardly notices; but a program that was
 * stopped or asleep comes back to requests that go out only now and to ticks
 * that have passed, and the two would make a burst. So the scheduler knows what
 * had been released and had not gone out when it last looked, and leaves room
 * for that in its tokens if it wakes later than it wanted to.
 */
struct pv_rate;

struct pv_scheduler {
	int64_t interval_ms;
	int64_t max_rate;
	int64_t burst;
	int64_t last_tick;
	int64_t tokens;
	int64_t overspent; /* in this interval, at a higher rate than now */
	int64_t unsent;    /* released, and not sent before the last look */
	int64_t sent;      /* of these, since then */
	int64_t woke_at;   /* last */
	int64_t wakes_at;  /* when it wants to; or PV_NEVER */
	enum pv_wait_reason held; /* why nothing is released; PV_WAIT_NOT */
};

void pv_scheduler_init(
    struct pv_scheduler *scheduler, const struct pv_rate *rate, int64_t now);

/* Goes on where another one was, by its own rate: what that has spent since its
 * last tick is spent. */
void pv_scheduler_go_on(struct pv_scheduler *scheduler,
    const struct pv_scheduler *before, int64_t now);

/* Goes on by another rate, or by none, in the midst of it. */
void pv_scheduler_set_part(struct pv_scheduler *scheduler,
    const struct pv_schedule_part *part, int64_t now);

/* Adds the tokens of the ticks until now. */
void pv_scheduler_tick(struct pv_scheduler *scheduler, int64_t now);

/* A request is released; there is a token for it. */
void pv_scheduler_spend(struct pv_scheduler *scheduler);

/* Its bytes have gone out, or it has ended and they never will. */
void pv_scheduler_sent(struct pv_scheduler *scheduler);

/* A token that was spent then has served no request. Where there is no room for
 * it, or it is of an earlier tick, it is lost: it would come on top of what the
 * later one brought. */
void pv_scheduler_give_back(struct pv_scheduler *scheduler, int64_t spent_at);

/* When the next tick is, as of the last. */
static inline int64_t pv_scheduler_next_tick(
    const struct pv_scheduler *scheduler)
{
	return scheduler->last_tick + scheduler->interval_ms;
}

/* Its work on the schedule that it is part of */

struct pv_release {
	struct pv_schedule_host *host;
	uint64_t visit;
	uint32_t flight;    /* by which it is known until it has ended */
	struct pv_wait due; /* from when it might start, and which rule said so:
			       PV_WAIT_NOT for a host that nothing held */
	int64_t late_ms; /* how long it has stood in line for the crawl's rate,
			    its address, or its clock */
	enum pv_trial trial; /* what it is to show of a host that failed */
};

/* Releases what may start now, at most `size`; returns how many. */
size_t pv_scheduler_wake(struct pv_schedule *schedule, struct pv_time now,
    struct pv_release *releases, size_t size);

/* When to wake it again if nothing else happens before: at most now if at once,
 * PV_NEVER if there is nothing to wait for. */
int64_t pv_scheduler_next_wake(struct pv_schedule *schedule, int64_t now);

/* Nothing is released for that reason, until it is PV_WAIT_NOT. */
void pv_scheduler_hold(
    struct pv_schedule *schedule, enum pv_wait_reason reason);

/* Why the crawl as a whole releases nothing now, if that is longer. */
void pv_scheduler_wait(
    const struct pv_schedule *schedule, int64_t now, struct pv_wait *wait);

#endif
