#include "fleet/clocks/taken.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"

void pv_taken_init(struct pv_taken *taken, struct pv_hash_key key)
{
	*taken = (struct pv_taken){.count = 0};
	pv_arena_init(&taken->texts);
	pv_map_init(&taken->map, key);
}

void pv_taken_finish(struct pv_taken *taken)
{
	pv_arena_finish(&taken->texts);
	pv_map_finish(&taken->map);
	free(taken->items);
}

struct pv_taken_name *pv_taken_add(struct pv_taken *taken, struct pv_str name)
{
	const uint32_t *place = pv_map_get(&taken->map, name);
	if (place)
		return &taken->items[*place];
	name = pv_arena_copy(&taken->texts, name);
	pv_map_add(&taken->map, name, (uint32_t)taken->count);
	struct pv_taken_name *item =
	    PV_ARRAY_PUSH(taken->items, taken->count, taken->size);
	*item = (struct pv_taken_name){.name = name, .behind = INT64_MIN};
	return item;
}

const struct pv_taken_name *pv_taken_find(
    const struct pv_taken *taken, struct pv_str name)
{
	const uint32_t *place = pv_map_get(&taken->map, name);
	return place ? &taken->items[*place] : NULL;
}

void pv_taken_clear(struct pv_taken *taken)
{
	struct pv_hash_key key = taken->map.key;
	if (!taken->count)
		return;
	pv_taken_finish(taken);
	pv_taken_init(taken, key);
}

struct pv_str *pv_taken_list(const struct pv_taken *taken)
{
	struct pv_str *list = pv_alloc_array(taken->count + 1, sizeof(*list));
	for (size_t i = 0; i < taken->count; i++)
		list[i] = taken->items[i].name;
	return list;
}
