#include "audit/names.h"

#include <stdlib.h>

#include "base/array.h"

void pv_audit_names_init(struct pv_audit_names *names, struct pv_hash_key key)
{
	*names = (struct pv_audit_names){.count = 0};
	pv_arena_init(&names->arena);
	pv_map_init(&names->map, key);
}

void pv_audit_names_finish(struct pv_audit_names *names)
{
	pv_map_finish(&names->map);
	pv_arena_finish(&names->arena);
	free(names->items);
}

uint32_t pv_audit_names_find(struct pv_audit_names *names, struct pv_str name)
{
	const uint32_t *number = pv_map_get(&names->map, name);
	if (number)
		return *number;
	uint32_t added = (uint32_t)names->count;
	struct pv_str kept = pv_arena_copy(&names->arena, name);
	pv_map_add(&names->map, kept, added);
	*PV_ARRAY_PUSH(names->items, names->count, names->size) = kept;
	return added;
}
