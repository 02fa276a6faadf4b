#ifndef PAVANE_FLEET_JOINING_H
#define PAVANE_FLEET_JOINING_H

#include <stdbool.h>
#include <stdint.h>

/* How a worker joins its fleet, before its crawl's loop runs: each of these waits for
 * PostgreSQL, and is false, with the reason, if that takes too long or cannot be;
 * without a reason if somebody has had enough of waiting (is_enough). */
struct pv_fleet;
struct pv_why;

/* Finds the crawl by its name, or makes it. */
bool pv_joining_find_crawl(struct pv_fleet *fleet, struct pv_why *why);

/* With a state that is open: sees that its policy is the fleet's, and takes up its
 * number again, or gets one. */
bool pv_joining_register(struct pv_fleet *fleet, struct pv_why *why);

/* Rows of a state are only for states of the same version: this one. */
int64_t pv_joining_state_version(void);

#endif
