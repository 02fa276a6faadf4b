#ifndef PAVANE_FLEET_SHARES_SHARE_H
#define PAVANE_FLEET_SHARES_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A worker's share of what a crawl may do as a whole: requests in each interval,
 * places for requests in flight, and bytes a second.
 *
 * Of n workers each runs by 1/n. What does not divide goes to those with the
 * lowest numbers. There are no more shares than tokens in an interval, or places:
 * who has none is on standby, and owns nothing, until one is free. So each share has
 * at least a token and a place.
 *
 * Each worker writes its share where all others read it, and takes no more than
 * what those leave: who joins begins with nothing until they have said that they
 * take less. So the sum of all never exceeds the whole, whoever has heard of whom.
 */
struct pv_rate;

struct pv_fleet_share {
	int64_t of;   /* it runs by 1/of; 0: by nothing */
	int64_t rank; /* from 0, among those; `of`: it has nothing of what does
			 not divide */
};

#define PV_FLEET_NO_SHARE ((struct pv_fleet_share){0, 0})

/* Its part of some that are a whole number. */
int64_t pv_fleet_share_part(struct pv_fleet_share share, int64_t whole);

/* Whether it has no more than the other of anything. */
bool pv_fleet_share_is_within(struct pv_fleet_share share,
    struct pv_fleet_share other, const struct pv_rate *whole);

/* Whether this one, beside those that others have written, exceeds nothing. */
bool pv_fleet_share_fits(struct pv_fleet_share share,
    const struct pv_fleet_share *others, size_t count,
    const struct pv_rate *whole);

/* All that are to have a share, by their numbers, with those that they have written:
 * whether there is one for that one. Who has one keeps it. */
bool pv_fleet_share_is_free(const struct pv_fleet_share *all, size_t count,
    size_t own, const struct pv_rate *whole);

/* The one that it is to take, or as much of it as the others leave. */
struct pv_fleet_share pv_fleet_share_choose(const struct pv_fleet_share *all,
    size_t count, size_t own, const struct pv_rate *whole);

/* What a crawl may use by it. */
struct pv_fleet_part {
	int64_t max_rate; /* 0: it may ask nothing */
	int64_t interval_ms;
	int64_t burst;
	int64_t concurrency;
	int64_t bandwidth; /* PV_NONE: no limit */
};

struct pv_fleet_part pv_fleet_share_rate(
    struct pv_fleet_share share, const struct pv_rate *whole);

#endif
