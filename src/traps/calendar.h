#ifndef PAVANE_TRAPS_CALENDAR_H
#define PAVANE_TRAPS_CALENDAR_H

#include <stdint.h>

#include "base/str.h"

/* Calendars that never end: addresses with a date far from today, as behind
 * "next month".
 *
 * A date is one of date_text.h's forms in the path or in a value, or made of
 * parameters as in "year=2031&month=5". Of numbers that are no more than likely
 * dates only those count that lie within a century of their limit: a crawl that
 * follows links from page to page reaches it, and an article's number mostly
 * does not. Where the address says that it is a calendar's, by a segment such
 * as "calendar", a year alone counts as well, and so does how many months,
 * weeks or days it is from today ("month=481").
 */
struct pv_calendar {
	int64_t today;    /* a day (base/day.h) */
	int64_t ahead_ms; /* how far dates may lie ahead, or PV_NONE */
	int64_t back_ms;
};

/* By how many days the date is ahead that lies furthest beyond its limit, or
 * else, as a negative number, how far back; 0 if none is beyond. The order of
 * parameters does not matter. */
int64_t pv_calendar_find(const struct pv_calendar *calendar, struct pv_str path,
    struct pv_str query);

#endif
