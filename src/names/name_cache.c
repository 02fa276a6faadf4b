#include "names/name_cache.h"

#include <stdlib.h>

#include "base/alloc.h"

struct entry {
	struct pv_named named; /* the host, its own copy */
	struct pv_line_link link;
	struct pv_name_answer answer;
	struct pv_address first; /* bits 0: none was ever found */
};

void pv_name_cache_init(
    struct pv_name_cache *cache, size_t ceiling, struct pv_hash_key key)
{
	*cache = (struct pv_name_cache){.ceiling = ceiling};
	pv_named_table_init(&cache->hosts, key);
}

static struct entry *get(const struct pv_name_cache *cache, struct pv_str host)
{
	struct pv_named *named = pv_named_get(&cache->hosts, host);
	return named ? PV_WHOLE(struct entry, named, named) : NULL;
}

static struct entry *add(struct pv_name_cache *cache, struct pv_str host)
{
	struct entry *entry = pv_alloc(sizeof(*entry) + host.len + 1);
	char *copy = (char *)(entry + 1);
	if (host.len)
		memcpy(copy, host.ptr, host.len);
	entry->named.name = (struct pv_str){copy, host.len};
	pv_named_add(&cache->hosts, &entry->named);
	return entry;
}

static void remove_oldest(struct pv_name_cache *cache)
{
	struct entry *entry = PV_WHOLE(struct entry, link, cache->line.first);
	pv_line_remove(&cache->line, &entry->link);
	pv_named_remove(&cache->hosts, &entry->named);
	free(entry);
}

static void use(struct pv_name_cache *cache, struct entry *entry)
{
	pv_line_remove(&cache->line, &entry->link);
	pv_line_add(&cache->line, &entry->link);
}

void pv_name_cache_finish(struct pv_name_cache *cache)
{
	while (cache->line.first)
		remove_oldest(cache);
	pv_named_table_finish(&cache->hosts);
}

void pv_name_cache_put(struct pv_name_cache *cache, struct pv_str host,
    const struct pv_name_answer *answer)
{
	struct entry *entry = get(cache, host);
	if (!entry && cache->hosts.count >= cache->ceiling)
		remove_oldest(cache);
	if (!entry)
		entry = add(cache, host);
	use(cache, entry);
	entry->answer = *answer;
	if (answer->result == PV_NAME_FOUND)
		entry->first = answer->addresses[0];
}

const struct pv_name_answer *pv_name_cache_get(
    struct pv_name_cache *cache, struct pv_str host, int64_t now)
{
	struct entry *entry = get(cache, host);
	if (!entry || entry->answer.kept_until <= now)
		return NULL;
	use(cache, entry);
	return &entry->answer;
}

const struct pv_address *pv_name_cache_first(
    const struct pv_name_cache *cache, struct pv_str host)
{
	const struct entry *entry = get(cache, host);
	return entry && entry->first.bits ? &entry->first : NULL;
}

void pv_name_cache_expire(struct pv_name_cache *cache, struct pv_str host)
{
	struct entry *entry = get(cache, host);
	if (entry)
		entry->answer.kept_until = INT64_MIN;
}
