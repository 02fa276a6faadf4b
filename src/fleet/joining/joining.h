#ifndef PAVANE_FLEET_JOINING_JOINING_H
#define PAVANE_FLEET_JOINING_JOINING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a worker joins its fleet, before its crawl's loop runs: each of these waits for
 * PostgreSQL, and is false, with the reason, if that takes too long or cannot be;
 * without a reason if somebody has had enough of waiting (is_enough). */
struct pv_fleet;
struct pv_why;

struct pv_fleet_results;
struct pv_fleet_step;

/* Whether somebody has had enough of waiting. */
bool pv_joining_is_enough(struct pv_fleet *fleet);

/* Sends steps, and again if the line is lost, until they are answered. */
bool pv_joining_ask(struct pv_fleet *fleet, const struct pv_fleet_step *steps,
    size_t count,
    void (*hear)(
	struct pv_fleet *fleet, const struct pv_fleet_results *results));

/* Why that could not be; false. */
bool pv_joining_tell(const struct pv_fleet *fleet, struct pv_why *why);

/* Finds the crawl by its name, or makes it. */
bool pv_joining_find_crawl(struct pv_fleet *fleet, struct pv_why *why);

/* With a state that is open: agrees on the terms of the crawl (fleet/joining/terms.h),
 * and takes up its number again, or gets one. */
bool pv_joining_register(struct pv_fleet *fleet, struct pv_why *why);

#endif
