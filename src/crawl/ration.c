#include "crawl/ration.h"

#include <stdlib.h>

#include "base/array.h"
#include "policy/value.h"

void pv_ration_init(struct pv_ration *ration, int64_t most)
{
	*ration = (struct pv_ration){.most = most};
	pv_key_table_init(&ration->members, PV_RATION_CEILING, false);
	pv_key_table_init(&ration->owners, PV_RATION_CEILING, true);
}

void pv_ration_finish(struct pv_ration *ration)
{
	pv_key_table_finish(&ration->members);
	pv_key_table_finish(&ration->owners);
	free(ration->added);
}

bool pv_ration_is_on(const struct pv_ration *ration)
{
	return ration->most != PV_NONE;
}

bool pv_ration_has_room(const struct pv_ration *ration, uint64_t owner)
{
	return pv_key_table_get(&ration->owners, owner) < ration->most;
}

void pv_ration_add(struct pv_ration *ration, uint64_t owner, uint64_t member)
{
	if (!pv_ration_is_on(ration) || pv_ration_has(ration, member))
		return;
	if (!pv_key_table_add(&ration->members, member) ||
	    !pv_key_table_count(&ration->owners, owner)) {
		ration->is_full = true;
		return;
	}
	if (ration->is_gathering)
		*PV_ARRAY_PUSH(
		    ration->added, ration->added_count, ration->added_size) =
		    (struct pv_ration_entry){owner, member};
}
