#include "fleet/shares/allowance.h"

#include "policy/values/value.h"

void pv_fleet_quota_init(struct pv_fleet_quota *quota, int64_t limit)
{
	*quota = (struct pv_fleet_quota){.limit = limit};
}

int64_t pv_fleet_quota_left(const struct pv_fleet_quota *quota, int64_t count)
{
	if (quota->limit == PV_NONE)
		return INT64_MAX;
	return quota->is_known ? quota->until - count : 0;
}

/* Half a slice is enough for the time that an answer takes: slices are small
 * beside what is left, and no slice of many is brought in a moment. */
bool pv_fleet_quota_is_low(const struct pv_fleet_quota *quota, int64_t count)
{
	return quota->limit != PV_NONE &&
	       pv_fleet_quota_left(quota, count) <= quota->slice / 2;
}

void pv_fleet_quota_hear(struct pv_fleet_quota *quota, int64_t count,
    const struct pv_fleet_grant *grant)
{
	if (quota->limit == PV_NONE)
		return;
	if (!quota->is_known) {
		quota->base = count - grant->brought;
		quota->until = count;
	}
	quota->is_known = true;
	int64_t until = quota->base + grant->granted;
	if (until > quota->until)
		quota->slice = until - quota->until;
	quota->until = until;
	quota->is_reached = grant->brought_by_all >= quota->limit;
}

int64_t pv_fleet_quota_keep(struct pv_fleet_quota *quota, int64_t count)
{
	if (quota->until > count)
		quota->until = count;
	return quota->until - quota->base;
}
