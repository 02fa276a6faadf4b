#ifndef PAVANE_BASE_MAP_H
#define PAVANE_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/str.h"

/* Text to number: a hash table whose memory only grows.
 *
 * The numbers are usually places in an array of the caller's. The texts are
 * borrowed: they must live, unmoved, as long as they are in the map.
 */
struct pv_map {
	struct pv_map_slot *slots;
	size_t count;
	size_t size; /* a power of two, or 0 */
	struct pv_hash_key key;
};

/* `key` keeps strangers from choosing texts that collide; where people choose
 * the texts, any will do. */
void pv_map_init(struct pv_map *map, struct pv_hash_key key);
void pv_map_finish(struct pv_map *map);

/* The number of a text that is in the map; NULL if it is not. Valid until the
 * next add or remove. */
uint32_t *pv_map_get(const struct pv_map *map, struct pv_str text);

/* Adds a text that is not in the map; false, with nothing changed, if it
 * is. */
bool pv_map_add(struct pv_map *map, struct pv_str text, uint32_t number);

/* Takes a text out again; false if it is not in the map. */
bool pv_map_remove(struct pv_map *map, struct pv_str text);

#endif
