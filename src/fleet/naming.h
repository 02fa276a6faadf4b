#ifndef PAVANE_FLEET_NAMING_H
#define PAVANE_FLEET_NAMING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Hosts that the crawl asks for by name, as it does to follow a redirect of a
 * robots.txt.
 *
 * What the worker owns its state gives out. Where that has nothing, the clock of the
 * host is claimed with the next look (fleet/taking.h), if it is free, or is made, if
 * nobody knows of it; then the state is asked again. Nothing comes back where the
 * host is held, where another worker owns it or its rest is not over, and where
 * PostgreSQL cannot be asked.
 */
struct pv_fleet;
struct pv_fleet_results;
struct pv_host_request;
struct pv_named_host;

struct pv_naming {
	struct pv_named_host *first;
};

void pv_naming_finish(struct pv_naming *naming);

/* Of a request that has a name. False: as pv_frontier_take_hosts. */
bool pv_naming_take(
    struct pv_fleet *fleet, struct pv_host_request *request, int64_t now);

/* The clocks that the look that begins asks for, in an array that is the caller's to
 * free; NULL if there are none. */
struct pv_str *pv_naming_list(struct pv_fleet *fleet, size_t *count);

/* What that look has found out, by its step. */
void pv_naming_hear(struct pv_fleet *fleet,
    const struct pv_fleet_results *results, size_t step);

/* Goes on, if there is something to do. */
void pv_naming_step(struct pv_fleet *fleet);

#endif
