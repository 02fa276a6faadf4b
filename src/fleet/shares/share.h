#ifndef PAVANE_FLEET_SHARES_SHARE_H
#define PAVANE_FLEET_SHARES_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A worker's share of what a crawl may do as a whole: requests in each interval,
 * places for requests in flight, and bytes a second.
 *
 * Of n workers each runs by 1/n. What does not divide goes to those with the
 * lowest numbers. Where the rate has fewer tokens in an interval than there are
 * workers, they take turns: each has one token in some intervals, and they are
 * spread evenly over that time by the server's clock.
 *
 * Each worker writes its share where all others read it, and takes no more than
 * what those leave: who joins begins with nothing until they have said that they
 * take less. So the sum of all never exceeds the whole, whoever has heard of whom.
 * All is reckoned in whole numbers and exact fractions.
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

/* The one to take: that of the worker with this rank among all that live, of whom
 * these are the others, or as much of it as they leave. */
struct pv_fleet_share pv_fleet_share_choose(size_t rank,
    const struct pv_fleet_share *others, size_t count,
    const struct pv_rate *whole);

/* What a crawl may use by it: a rate, and how long it is until the first tick of
 * that by the server's clock; negative where that is all the same. */
struct pv_fleet_part {
	int64_t max_rate; /* 0: it may ask nothing */
	int64_t interval_ms;
	int64_t burst;
	int64_t concurrency;
	int64_t first_ms;
	int64_t bandwidth; /* PV_NONE: no limit */
};

struct pv_fleet_part pv_fleet_share_rate(struct pv_fleet_share share,
    const struct pv_rate *whole, int64_t server_ms);

#endif
