#include "base/map.h"

#include <stdlib.h>

#include "base/alloc.h"

/* There may be millions: a text is shorter than 4 GiB. */
struct pv_map_slot {
	const char *text; /* borrowed; NULL where the slot is free */
	uint32_t len;
	uint32_t number;
	uint64_t hash;
};

void pv_map_init(struct pv_map *map, struct pv_hash_key key)
{
	*map = (struct pv_map){.key = key};
}

void pv_map_finish(struct pv_map *map)
{
	free(map->slots);
	*map = (struct pv_map){.key = map->key};
}

static struct pv_str text_of(const struct pv_map_slot *slot)
{
	return (struct pv_str){slot->text, slot->len};
}

/* The slot that holds the text, or the free one where it would go. */
static struct pv_map_slot *slot_of(
    const struct pv_map *map, struct pv_str text, uint64_t hash)
{
	size_t mask = map->size - 1;
	size_t i = (size_t)hash & mask;
	while (map->slots[i].text) {
		if (map->slots[i].hash == hash &&
		    pv_str_equal(text_of(&map->slots[i]), text))
			break;
		i = (i + 1) & mask;
	}
	return &map->slots[i];
}

static void grow(struct pv_map *map)
{
	struct pv_map old = *map;
	map->size = old.size ? old.size * 2 : 16;
	map->slots = pv_alloc_array(map->size, sizeof(*map->slots));
	for (size_t i = 0; i < old.size; i++) {
		const struct pv_map_slot *slot = &old.slots[i];
		if (slot->text)
			*slot_of(map, text_of(slot), slot->hash) = *slot;
	}
	free(old.slots);
}

uint32_t *pv_map_get(const struct pv_map *map, struct pv_str text)
{
	if (!map->count)
		return NULL;
	struct pv_map_slot *slot = slot_of(map, text, pv_hash(&map->key, text));
	return slot->text ? &slot->number : NULL;
}

bool pv_map_add(struct pv_map *map, struct pv_str text, uint32_t number)
{
	if ((map->count + 1) * 4 > map->size * 3)
		grow(map);
	uint64_t hash = pv_hash(&map->key, text);
	struct pv_map_slot *slot = slot_of(map, text, hash);
	if (slot->text)
		return false;
	*slot = (struct pv_map_slot){
	    .text = pv_str_bytes(text),
	    .len = (uint32_t)text.len,
	    .hash = hash,
	    .number = number,
	};
	map->count++;
	return true;
}

/* Closes a gap: what stands behind it moves up, unless it would come to stand
 * before the slot where its own search begins. */
static void close_gap(struct pv_map *map, size_t gap)
{
	size_t mask = map->size - 1;
	size_t i = (gap + 1) & mask;
	for (; map->slots[i].text; i = (i + 1) & mask) {
		size_t first = (size_t)map->slots[i].hash & mask;
		if (((i - first) & mask) < ((i - gap) & mask))
			continue;
		map->slots[gap] = map->slots[i];
		gap = i;
	}
	map->slots[gap] = (struct pv_map_slot){0};
}

bool pv_map_remove(struct pv_map *map, struct pv_str text)
{
	if (!map->count)
		return false;
	struct pv_map_slot *slot = slot_of(map, text, pv_hash(&map->key, text));
	if (!slot->text)
		return false;
	close_gap(map, (size_t)(slot - map->slots));
	map->count--;
	return true;
}
