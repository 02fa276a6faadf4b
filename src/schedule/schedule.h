#ifndef PAVANE_SCHEDULE_SCHEDULE_H
#define PAVANE_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/system.h"
#include "schedule/host_clock.h"

/* The schedule: when each host, each address and the whole crawl may ask
 * again.
 *
 * Its owner tells it the hosts, hands over the next visits of each
 * (schedule/schedule_host.h), and asks for what may be released now. For each release it tells when the request's
 * bytes went out and how it ended. Between these events nothing has to be
 * done before pv_schedule_next_wake: one timer is enough for any number of
 * hosts.
 *
 * A request is released when the crawl's bucket has a token for it, a place in
 * flight is free, and its host's clock, its address's clock and its hours
 * agree; among the hosts for which that is so, the one that has waited
 * longest goes first.
 *
 * Times (`now`) are those of the crawl's monotonic clock, are not negative and
 * do not go back; the wall clock (struct pv_time) serves only for hours of
 * the day and for what is to last. A schedule belongs to one thread. It owns
 * its hosts.
 */
struct pv_schedule;
struct pv_schedule_host;
struct pv_rate;

struct pv_schedule_plan {
	const struct pv_rate *rate; /* borrowed for the call */
	uint64_t seed;              /* for jitter, and against collisions */
	const char *environment;    /* the variable TZ or NULL; kept */
};

struct pv_schedule *pv_schedule_create(
    const struct pv_schedule_plan *plan, int64_t now);
void pv_schedule_destroy(struct pv_schedule *schedule);

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
size_t pv_schedule_release(struct pv_schedule *schedule, struct pv_time now,
    struct pv_release *releases, size_t size);

/* The request's bytes have gone out; rounded up (schedule/wait.h), as when it
 * ends. */
void pv_schedule_sent(
    struct pv_schedule *schedule, uint32_t flight, int64_t now);

/* It has ended, and its place is free; the flight is not to be used again. A
 * request of which nothing went out because it was given up gives its token
 * back. */
void pv_schedule_ended(struct pv_schedule *schedule, uint32_t flight,
    const struct pv_visit_end *end, int64_t now);

/* While held, nothing is released. */
void pv_schedule_hold(struct pv_schedule *schedule, bool is_held);

/* When to ask for releases again if nothing else happens before: at most now
 * if at once, PV_NEVER if there is nothing to wait for. */
int64_t pv_schedule_next_wake(struct pv_schedule *schedule, int64_t now);

/* Before when no host may be asked that has visits and is not in flight,
 * whatever the crawl's own rate allows; PV_NEVER if there is none, or only
 * such as are parked until told otherwise. */
int64_t pv_schedule_first_due(const struct pv_schedule *schedule);

/* How many requests are in flight. */
size_t pv_schedule_in_flight(const struct pv_schedule *schedule);

#endif
