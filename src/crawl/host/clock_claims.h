#ifndef PAVANE_CRAWL_HOST_CLOCK_CLAIMS_H
#define PAVANE_CRAWL_HOST_CLOCK_CLAIMS_H

#include <stdbool.h>
#include <stdint.h>

#include "limiter/clock_waiters.h"

/* What a visit has to do with other crawls: it is claimed at the clocks of its
 * host and its address (limiter/limiter.h) before it is made, and tells them
 * what its own schedule made of it. Where no clock is shared, each visit is
 * granted (limiter/alone.h). Crawls of one process wake one another when they let
 * a clock go (limiter/clock_waiters.h). */
struct pv_crawl;
struct pv_flight;

/* A host's. */
struct pv_host_claims {
	int64_t step_ms; /* after which it was tried again last, since another
			    crawl was at it; 0 */
	struct pv_clock_waiter waiter; /* until one of this process says that
					  it may be tried */
	bool is_for_address;           /* what it waits for */
};

/* Shares clocks in that directory, if the policy has it so and that can be
 * done; else the crawl goes on alone, and says why. "" is a directory that
 * nobody could name, and with NULL nobody wants to share. */
void pv_clock_claims_open(struct pv_crawl *crawl, const char *directory);
void pv_clock_claims_close(struct pv_crawl *crawl);

/* Hosts that may be tried now, since another crawl has let their clock go. */
void pv_clock_claims_hear(struct pv_crawl *crawl);

/* The host is about to go. */
void pv_clock_claims_forget(struct pv_host_claims *claims);

/* Whether the visit, which was released, may be made. If not, the clocks that
 * were in the way are put off in the schedule until it may be tried again, and
 * the visit is to be given up until then; `until` is then how long its host's
 * clock is known to hold it, or 0. */
bool pv_clock_claims_begin(struct pv_flight *flight, int64_t *until);

/* Its bytes have been sent, as reported to the schedule. */
void pv_clock_claims_sent(struct pv_flight *flight, int64_t now);

/* It has ended, as reported to the schedule. */
void pv_clock_claims_end(
    struct pv_flight *flight, bool is_given_up, int64_t now);

#endif
