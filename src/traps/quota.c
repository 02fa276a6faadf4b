#include "traps/quota.h"

#include <stdlib.h>

#include "base/array.h"
#include "policy/values/value.h"

void pv_quota_init(struct pv_quota *quota, int64_t most)
{
	*quota = (struct pv_quota){.most = most};
	pv_key_table_init(&quota->members, PV_QUOTA_CEILING, false);
	pv_key_table_init(&quota->owners, PV_QUOTA_CEILING, true);
}

void pv_quota_finish(struct pv_quota *quota)
{
	pv_key_table_finish(&quota->members);
	pv_key_table_finish(&quota->owners);
	free(quota->added);
}

bool pv_quota_is_on(const struct pv_quota *quota)
{
	return quota->most != PV_NONE;
}

bool pv_quota_has_room(const struct pv_quota *quota, uint64_t owner)
{
	return pv_key_table_get(&quota->owners, owner) < quota->most;
}

void pv_quota_add(struct pv_quota *quota, uint64_t owner, uint64_t member)
{
	if (!pv_quota_is_on(quota) || pv_quota_has(quota, member))
		return;
	if (!pv_key_table_add(&quota->members, member) ||
	    !pv_key_table_count(&quota->owners, owner)) {
		quota->is_full = true;
		return;
	}
	if (quota->is_gathering)
		*PV_ARRAY_PUSH(quota->added, quota->added_count,
		    quota->added_size) = (struct pv_quota_entry){owner, member};
}
