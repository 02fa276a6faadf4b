#ifndef PAVANE_SCHEDULE_SCHEDULE_H
#define PAVANE_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/system.h"
#include "schedule/host_clock.h"

/* The schedule: when each host, each address and the whole crawl may ask again.
 *
 * Its owner tells it the hosts, hands over the next visits of each
 * (schedule/schedule_host.h), and wakes the scheduler (schedule/scheduler.h),
 * which releases what may start now. For each release it tells when the
 * request's bytes went out and how it ended.
 *
 * A request is released when the scheduler has a token for it, the executor a
 * place (schedule/executor.h), and its host's clock, its address's clock and
 * its hours agree; among the hosts for which that is so, the one that has
 * waited longest goes first.
 *
 * Times (`now`) are those of the crawl's monotonic clock, are not negative and
 * do not go back; the wall clock (struct pv_time) serves only for hours of the
 * day and for what is to last. A schedule belongs to one thread. It owns its
 * hosts.
 */
struct pv_schedule;
struct pv_schedule_host;
struct pv_rate;
struct pv_shared_places;
struct pv_shared_rate;

struct pv_schedule_plan {
	const struct pv_rate *rate; /* borrowed for the call */
	uint64_t seed;              /* for jitter, and against collisions */
	const char *environment;    /* the variable TZ or NULL; kept */
	struct pv_shared_places *places;   /* that crawls share; NULL: none */
	struct pv_shared_rate *all_crawls; /* the same; NULL: none */
	void (*wake)(void *ctx); /* when there is one of those again */
	void *ctx;
};

struct pv_schedule *pv_schedule_create(
    const struct pv_schedule_plan *plan, int64_t now);
void pv_schedule_destroy(struct pv_schedule *schedule);

/* The request's bytes have gone out; rounded up (schedule/wait.h), as when it
 * ends. */
void pv_schedule_sent(
    struct pv_schedule *schedule, uint32_t flight, int64_t now);

/* It has ended, and its place is free; the flight is not to be used again. A
 * request of which nothing went out because it was given up gives its token
 * back. */
void pv_schedule_ended(struct pv_schedule *schedule, uint32_t flight,
    const struct pv_visit_end *end, int64_t now);

/* Before when no host may be asked that has visits and is not in flight,
 * whatever the crawl's own rate allows; PV_NEVER if there is none, or only
 * such as are parked until told otherwise. */
int64_t pv_schedule_first_due(const struct pv_schedule *schedule);

/* From now on it starts so many requests in each interval and has so many places.
 * Nothing of it counts for the time before: a change brings no token. What is
 * in flight beyond the places stays so until it has ended. */
struct pv_schedule_part {
	int64_t max_rate; /* 0: none, until told otherwise */
	int64_t interval_ms;
	int64_t burst;
	int64_t concurrency;
};

void pv_schedule_set_part(struct pv_schedule *schedule,
    const struct pv_schedule_part *part, int64_t now);

/* How many requests are in flight. */
size_t pv_schedule_in_flight(const struct pv_schedule *schedule);

#endif
