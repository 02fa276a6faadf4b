#ifndef PAVANE_ROBOTS_TIMING_H
#define PAVANE_ROBOTS_TIMING_H

#include <stdint.h>

#include "base/str.h"

/* How often and when a robots.txt asks to be visited: Crawl-delay, and
 * Request-rate and Visit-time of the extended standard of 1996. None of them
 * is in RFC 9309; all are cheap to honour. */

/* Longer delays are reported as this: it is for the policy to say when a delay
 * is too long. */
#define PV_ROBOTS_DELAY_MAX_MS (INT64_C(100) * 365 * 86400 * 1000)

/* Reads seconds, "2" or "0.5", to milliseconds, a part of one as one. False if
 * it is no such number: negative, with an exponent, not finite, not one. */
bool pv_robots_read_delay(struct pv_str text, int64_t *delay_ms);

/* Reads documents by time, "1/10s" (s, m, h or d; s if none is written), as the
 * delay between two. What follows after a blank limits the rate to some hours;
 * we keep to it at all hours. */
bool pv_robots_read_rate(struct pv_str text, int64_t *delay_ms);

/* Hours of the day, in minutes of UTC, the last of which is not among them;
 * where they end before they begin, they go through midnight. */
struct pv_robots_hours {
	uint16_t start;
	uint16_t end;
};

/* Reads "0600-0845". */
bool pv_robots_read_hours(struct pv_str text, struct pv_robots_hours *hours);

/* A day of UTC by its minutes, of which some are shut. */
#define PV_ROBOTS_DAY_MINUTES 1440

struct pv_robots_day {
	bool is_shut[PV_ROBOTS_DAY_MINUTES];
};

/* Shuts all that is not among the hours; nothing, if there are none. */
void pv_robots_hours_shut(const struct pv_robots_hours *hours, size_t count,
    struct pv_robots_day *day);

/* How long from the given wall time until any of the hours is there; 0 if it
 * is now, or if there are none. */
int64_t pv_robots_hours_wait(
    const struct pv_robots_hours *hours, size_t count, int64_t wall_ms);

#endif
