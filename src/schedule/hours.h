#ifndef PAVANE_SCHEDULE_HOURS_H
#define PAVANE_SCHEDULE_HOURS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct pv_time_zone;

/* The hours of the day at which requests may start: the policy's
 * allowed_hours on the clock of their time zone, and the Visit-time of a
 * robots.txt, which is UTC.
 *
 * What counts is the clock on the wall: where it is put forward, hours are
 * left out, and where it is put back, they come twice.
 */
#define PV_HOURS_MAX 24

struct pv_hours {
	struct pv_hours_span {
		uint16_t from; /* minutes after midnight */
		uint16_t to;   /* not included; past midnight if under from */
	} spans[PV_HOURS_MAX];
	size_t count;                    /* 0: always */
	const struct pv_time_zone *zone; /* borrowed; NULL: UTC */
};

void pv_hours_init(struct pv_hours *hours, const struct pv_time_zone *zone);

/* Adds a span of minutes after midnight, each at most 24 * 60; false, and
 * nothing added, if it is none or there is no more room. */
bool pv_hours_add(struct pv_hours *hours, uint64_t from, uint64_t to);

/* The same for "22:00-06:00". */
bool pv_hours_add_text(struct pv_hours *hours, struct pv_str text);

/* The earliest moment from then on that is allowed, on the wall clock in
 * milliseconds since 1970. */
int64_t pv_hours_next(const struct pv_hours *hours, int64_t wall_ms);

/* The earliest moment that both allow (NULL: always); where they do not meet
 * for a month, a moment before which they do not. */
int64_t pv_hours_next_both(
    const struct pv_hours *a, const struct pv_hours *b, int64_t wall_ms);

#endif
