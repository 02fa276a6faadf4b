#ifndef PAVANE_SERVE_FETCHES_REOPENING_H
#define PAVANE_SERVE_FETCHES_REOPENING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* When the crawl of a profile is opened again that could not be opened, or has
 * failed: after a second, then after twice as long each time, up to a minute. What
 * has not passed within an hour is said to last. Time is given by the caller. */
#define PV_REOPENING_LEAST_MS INT64_C(1000)
#define PV_REOPENING_MOST_MS (INT64_C(60) * 1000)
#define PV_REOPENING_LASTING_MS (INT64_C(3600) * 1000)

struct pv_reopening {
	char *profile;
	int64_t since_ms; /* of its first failure in a row */
	int64_t next_ms;
	int64_t wait_ms; /* before that */
};

struct pv_reopenings {
	struct pv_reopening *items;
	size_t count;
	size_t size;
};

/* All zero is empty. */
void pv_reopenings_finish(struct pv_reopenings *reopenings);

/* In how many milliseconds it may be opened; 0: now. */
int64_t pv_reopening_wait(const struct pv_reopenings *reopenings,
    struct pv_str profile, int64_t now_ms);

/* It has failed. False, and all is forgotten, if that lasts. */
bool pv_reopening_put_off(
    struct pv_reopenings *reopenings, struct pv_str profile, int64_t now_ms);

/* It works. */
void pv_reopening_forget(
    struct pv_reopenings *reopenings, struct pv_str profile);

#endif
