#ifndef PAVANE_FLEET_GIVING_NAMING_H
#define PAVANE_FLEET_GIVING_NAMING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/str.h"

/* Hosts that the crawl asks for by name, as it does to follow a redirect of a
 * robots.txt.
 *
 * What the worker owns its state gives out. Where that has nothing, the clock of the
 * host is claimed with the next look (fleet/taking/taking.h), if it is free, or is
 * made, if nobody knows of it; then the state is asked again. Nothing comes back
 * where the host is held, where another worker owns it or its rest is not over, and
 * where PostgreSQL cannot be asked.
 *
 * A host of another worker, and the one on whose behalf it is asked for, are brought
 * together at the lower number: either the asking one is given to that worker, with
 * all that hangs together with it (fleet/giving/giving.h), or that worker is asked for
 * the other one. So no two workers exchange them for ever. Who asks again finds it then.
 */
struct pv_fleet;
struct pv_fleet_results;
struct pv_host_request;
struct pv_naming;

void pv_naming_init(struct pv_naming *naming, struct pv_hash_key key);
void pv_naming_finish(struct pv_naming *naming);

/* Of a request that has a name. False: as pv_frontier_take_hosts. */
bool pv_naming_take(
    struct pv_fleet *fleet, struct pv_host_request *request, int64_t now);

/* The clocks that the look that begins asks for, in an array that is the caller's to
 * free; NULL if there are none. */
struct pv_str *pv_naming_list(struct pv_fleet *fleet, size_t *count);

/* What that look has found out, by its step: what is ours now, and what is
 * others'. */
void pv_naming_hear(struct pv_fleet *fleet,
    const struct pv_fleet_results *results, size_t step);
void pv_naming_hear_others(struct pv_fleet *fleet,
    const struct pv_fleet_results *results, size_t step);

/* What others want of ours. */
void pv_naming_hear_wanted(struct pv_fleet *fleet,
    const struct pv_fleet_results *results, size_t step);

/* Goes on, if there is something to do. */
void pv_naming_step(struct pv_fleet *fleet);

#endif
