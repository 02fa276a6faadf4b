#include "names/name_cache.h"

#include <stdlib.h>

#include "base/array.h"

#define NOWHERE UINT32_MAX

struct pv_name_cache_entry {
	struct pv_buf host;
	struct pv_name_answer answer;
	struct pv_address first; /* bits 0: none was ever found */
	uint32_t newer;
	uint32_t older;
};

void pv_name_cache_init(
    struct pv_name_cache *cache, size_t ceiling, struct pv_hash_key key)
{
	*cache = (struct pv_name_cache){
	    .ceiling = ceiling,
	    .newest = NOWHERE,
	    .oldest = NOWHERE,
	};
	pv_map_init(&cache->places, key);
}

void pv_name_cache_finish(struct pv_name_cache *cache)
{
	for (size_t i = 0; i < cache->count; i++)
		pv_buf_finish(&cache->entries[i].host);
	free(cache->entries);
	pv_map_finish(&cache->places);
}

static void take_out(struct pv_name_cache *cache, uint32_t place)
{
	struct pv_name_cache_entry *entry = &cache->entries[place];
	if (entry->newer == NOWHERE)
		cache->newest = entry->older;
	else
		cache->entries[entry->newer].older = entry->older;
	if (entry->older == NOWHERE)
		cache->oldest = entry->newer;
	else
		cache->entries[entry->older].newer = entry->newer;
}

static void put_first(struct pv_name_cache *cache, uint32_t place)
{
	struct pv_name_cache_entry *entry = &cache->entries[place];
	entry->newer = NOWHERE;
	entry->older = cache->newest;
	if (cache->newest == NOWHERE)
		cache->oldest = place;
	else
		cache->entries[cache->newest].newer = place;
	cache->newest = place;
}

/* A place for one more: a new one, or that of the oldest. */
static uint32_t make_room(struct pv_name_cache *cache)
{
	if (cache->count < cache->ceiling) {
		uint32_t place = (uint32_t)cache->count;
		PV_ARRAY_PUSH(cache->entries, cache->count, cache->size);
		return place;
	}
	uint32_t place = cache->oldest;
	take_out(cache, place);
	pv_map_remove(&cache->places, pv_buf_str(&cache->entries[place].host));
	pv_buf_finish(&cache->entries[place].host);
	return place;
}

static uint32_t add(struct pv_name_cache *cache, struct pv_str host)
{
	uint32_t place = make_room(cache);
	struct pv_name_cache_entry *entry = &cache->entries[place];
	*entry = (struct pv_name_cache_entry){0};
	pv_buf_init(&entry->host, host.len);
	pv_buf_append(&entry->host, host);
	pv_map_add(&cache->places, pv_buf_str(&entry->host), place);
	put_first(cache, place);
	return place;
}

static void use(struct pv_name_cache *cache, uint32_t place)
{
	take_out(cache, place);
	put_first(cache, place);
}

void pv_name_cache_put(struct pv_name_cache *cache, struct pv_str host,
    const struct pv_name_answer *answer)
{
	const uint32_t *found = pv_map_get(&cache->places, host);
	uint32_t place = found ? *found : add(cache, host);
	struct pv_name_cache_entry *entry = &cache->entries[place];
	use(cache, place);
	entry->answer = *answer;
	if (answer->result == PV_NAME_FOUND)
		entry->first = answer->addresses[0];
}

const struct pv_name_answer *pv_name_cache_get(
    struct pv_name_cache *cache, struct pv_str host, int64_t now)
{
	const uint32_t *place = pv_map_get(&cache->places, host);
	if (!place || cache->entries[*place].answer.kept_until <= now)
		return NULL;
	use(cache, *place);
	return &cache->entries[*place].answer;
}

const struct pv_address *pv_name_cache_first(
    const struct pv_name_cache *cache, struct pv_str host)
{
	const uint32_t *place = pv_map_get(&cache->places, host);
	if (!place || !cache->entries[*place].first.bits)
		return NULL;
	return &cache->entries[*place].first;
}

void pv_name_cache_expire(struct pv_name_cache *cache, struct pv_str host)
{
	const uint32_t *place = pv_map_get(&cache->places, host);
	if (place)
		cache->entries[*place].answer.kept_until = INT64_MIN;
}
