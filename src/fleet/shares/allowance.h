#ifndef PAVANE_FLEET_SHARES_ALLOWANCE_H
#define PAVANE_FLEET_SHARES_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

/* How much a worker may still bring of what the policy's limits allow the crawl as
 * a whole: pages, and bytes.
 *
 * The database grants it slices, small beside what is left, and their sum never
 * exceeds the limit. The worker counts what it brings by itself, from whatever
 * number on; the database counts what was passed on. Before the first answer it
 * may bring nothing, and all that it has brought before is passed on: so it is
 * known from then on which of its own numbers is which of the database's.
 */
struct pv_fleet_quota {
	int64_t limit; /* the crawl's; PV_NONE: none, and nothing else counts */
	int64_t until; /* so far it may go, by its own count */
	int64_t slice; /* what it was granted last */
	int64_t base;  /* its own count where the database's begins */
	bool is_known; /* the first answer has come */
	bool is_reached; /* all that the limit allows was brought, by all */
};

struct pv_fleet_allowance {
	struct pv_fleet_quota pages;
	struct pv_fleet_quota bytes;
};

/* What the database has said: of this worker what it may bring under its number
 * and what it has brought, and of all what they have brought. */
struct pv_fleet_grant {
	int64_t granted;
	int64_t brought;
	int64_t brought_by_all;
};

void pv_fleet_quota_init(struct pv_fleet_quota *quota, int64_t limit);

/* What it may still bring when its own count is that: nothing if it is not
 * positive. */
int64_t pv_fleet_quota_left(const struct pv_fleet_quota *quota, int64_t count);

/* Whether it is time to ask for more, so that it need not wait for it. */
bool pv_fleet_quota_is_low(const struct pv_fleet_quota *quota, int64_t count);

void pv_fleet_quota_hear(struct pv_fleet_quota *quota, int64_t count,
    const struct pv_fleet_grant *grant);

/* It may go no further than to that count from now on; what the database is to
 * leave it. */
int64_t pv_fleet_quota_keep(struct pv_fleet_quota *quota, int64_t count);

#endif
