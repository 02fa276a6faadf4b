#ifndef PAVANE_FLEET_SHARES_USAGE_H
#define PAVANE_FLEET_SHARES_USAGE_H

#include <stdbool.h>
#include <stdint.h>

/* How much of its share of the rate a worker uses: one that has hosts for more can give
 * some to one that has too few (fleet/giving/sharing.h). Measured over some seconds, in
 * which the share stays the same. Pure: times are given. */
struct pv_fleet_part;

struct pv_share_usage {
	int64_t max_rate;
	int64_t requests;
	int64_t since_ms;
	bool has_room; /* less than three quarters */
	bool is_full;  /* as good as all */
};

/* So many requests were made until now. It is looked at once `least_ms` have gone by. */
void pv_share_usage_note(struct pv_share_usage *usage,
    const struct pv_fleet_part *part, int64_t requests, int64_t now_ms,
    int64_t least_ms);

#endif
