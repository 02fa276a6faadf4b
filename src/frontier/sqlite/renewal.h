#ifndef PAVANE_FRONTIER_SQLITE_RENEWAL_H
#define PAVANE_FRONTIER_SQLITE_RENEWAL_H

#include "frontier/plans.h"
#include "frontier/sqlite/packing.h"

/* Rows of other workers that were written under an earlier policy of the fleet, or
 * in an earlier round, as they are to be today.
 *
 * A crawl on one machine judges all that it knows when its policy changes, and
 * makes all pending that is due when a round begins. A fleet knows too much for
 * that: each row says by which policy it was judged and in which round it was
 * written, and whoever loads it brings it up to date. A row that stays as it was
 * may be loaded, and compared, again.
 */
struct pv_renewal {
	uint64_t policy; /* the number of today's, from 1 */
	uint64_t round;  /* the same */

	/* What is due in the round. */
	int64_t began_wall_ms;
	int64_t before_wall_ms; /* heard of then, or earlier */
	bool takes_failed;      /* that there is no copy of */

	/* What has changed since that policy; NULL: nothing that decides. Called
	 * on the writer's thread. */
	struct pv_rejudging *(*since)(void *ctx, uint64_t policy);
	void *ctx;
};

/* The terms of a crawl that never had others. */
void pv_renewal_init(struct pv_renewal *renewal);

/* Whether anything has changed. */
bool pv_renewal_renew(
    const struct pv_renewal *renewal, struct pv_packed_address *address);

/* What counts against the limits of hosts counts anew in each round. */
void pv_renewal_renew_host(const struct pv_renewal *renewal, uint64_t round,
    struct pv_host_state *state);

#endif
