#ifndef PAVANE_FLEET_GRANTING_H
#define PAVANE_FLEET_GRANTING_H

#include "fleet/allowance.h"

/* How a worker gets its slices of limits.pages and limits.bytes.
 *
 * It asks when it has used half of the last one and has something to ask its hosts
 * for, under the lock of the crawl's row, so that two that ask at a time are not
 * granted the same. What it does not use goes back when it has nothing to do, or
 * has brought nothing for a while: others may have something to do. While it has
 * nothing to spend it looks once in a while whether something has come back, or
 * all was brought: then the crawl's limit is reached, for this worker as for any.
 *
 * Without limits nothing is asked.
 */
struct pv_fleet;

struct pv_granting {
	struct pv_fleet_allowance allowance; /* which the crawl heeds */
	bool is_asking;
	bool has_wanted;    /* that question was for more, and no mere look */
	int64_t ask_at;     /* it looks again, at the earliest */
	int64_t seen_pages; /* its own counts, when they have grown last ... */
	int64_t seen_bytes;
	int64_t grown_at;    /* ... and when that was */
	int64_t asked_pages; /* as of the question */
	int64_t asked_bytes;
};

void pv_granting_init(struct pv_fleet *fleet);

/* Goes on, if it is time. */
void pv_granting_step(struct pv_fleet *fleet);

#endif
