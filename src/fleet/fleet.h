#ifndef PAVANE_FLEET_FLEET_H
#define PAVANE_FLEET_FLEET_H

#include "base/hash.h"
#include "base/why.h"
#include "fleet/worker/options.h"
#include "frontier/frontier.h"
#include "store/store.h"

/* A fleet: several workers, on one machine or many, that crawl together, with what
 * they know of it in PostgreSQL.
 *
 * Each worker owns clocks, with all their hosts: no one else asks these for
 * anything, so politeness is its own schedule's business, as in any crawl. It
 * decides in its own state, passes on what has changed (fleet/passing/passing.h),
 * and takes over what others have found or left (fleet/taking/taking.h). Who may not
 * be sure any more that it owns them, since PostgreSQL cannot be reached or it was
 * stopped, asks nothing (base/lease.h).
 */
struct pv_fleet;
struct pv_fleet_allowance;
struct pv_lease;
struct pv_limiter;

/* The functions below as a table, which has none where this program was built
 * without PostgreSQL. */
struct pv_fleet_kind {
	struct pv_fleet *(*open)(
	    const struct pv_fleet_options *options, struct pv_why *why);
	struct pv_hash_key (*key)(const struct pv_fleet *fleet);
	bool (*begin)(struct pv_fleet *fleet, struct pv_store *store,
	    struct pv_frontier *frontier, struct pv_why *why);
	const struct pv_lease *(*lease)(const struct pv_fleet *fleet);
	const struct pv_fleet_allowance *(*allowance)(
	    const struct pv_fleet *fleet);

	/* A limiter that stands before the crawl's, which it owns: what is asked
	 * for is the worker's own. */
	struct pv_limiter *(*limit)(
	    struct pv_fleet *fleet, struct pv_limiter *inner);
	int64_t (*wish)(const struct pv_fleet *fleet);
	int64_t (*number)(const struct pv_fleet *fleet);
	bool (*begins_round)(const struct pv_fleet *fleet);
	bool (*is_finished)(const struct pv_fleet *fleet);
	void (*close)(struct pv_fleet *fleet);
};

extern const struct pv_fleet_kind pv_postgresql_fleet;

/* Joins the crawl, or begins it; returns when that is known. NULL, with the reason,
 * if it cannot be; without one if it was enough, as of the next one. */
struct pv_fleet *pv_fleet_open(
    const struct pv_fleet_options *options, struct pv_why *why);

/* Of the crawl's fingerprints: the same for all workers. */
struct pv_hash_key pv_fleet_key(const struct pv_fleet *fleet);

/* The frontier, on SQLite, is the fleet's from now on: registers the worker. Before
 * the writer starts. */
bool pv_fleet_begin(struct pv_fleet *fleet, struct pv_store *store,
    struct pv_frontier *frontier, struct pv_why *why);

/* The worker's; 0 before it is registered. */
int64_t pv_fleet_worker_id(const struct pv_fleet *fleet);

/* The last wish before it joined for the first time in this process: to stop by that
 * is for those that were there. */
int64_t pv_fleet_wish(const struct pv_fleet *fleet);

/* Whether the update that was asked for has begun with this worker. */
bool pv_fleet_begins_round(const struct pv_fleet *fleet);

/* Whether nothing is left of the crawl, as far as is known. */
bool pv_fleet_is_finished(const struct pv_fleet *fleet);

/* Until when the worker may ask. */
const struct pv_lease *pv_fleet_lease(const struct pv_fleet *fleet);

/* What it may bring of limits that hold for all workers together. */
const struct pv_fleet_allowance *pv_fleet_allowance(
    const struct pv_fleet *fleet);

/* The crawl ends: what is held back comes back soon. */
void pv_fleet_hurry(struct pv_fleet *fleet);

/* After the writer was stopped, before the frontier is closed; its memory goes when
 * the loop has run its closing callbacks. NULL is fine. */
void pv_fleet_close(struct pv_fleet *fleet);

#endif
