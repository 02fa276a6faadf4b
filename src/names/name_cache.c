#include "names/name_cache.h"

#include <stdlib.h>

#include "base/alloc.h"

/* An answer without the room for what few have: there may be very many. */
struct entry {
	struct pv_named named; /* the host, its own copy */
	struct pv_line_link link;
	int64_t kept_until;
	int64_t took_ms;
	char *why;               /* owned; NULL for none */
	struct pv_address *more; /* behind the first; owned, NULL for none */
	enum pv_name_result result;
	uint16_t port;
	uint8_t count; /* of addresses */
	bool is_own;
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

static void empty(struct entry *entry)
{
	free(entry->why);
	free(entry->more);
	entry->why = NULL;
	entry->more = NULL;
}

static void remove_oldest(struct pv_name_cache *cache)
{
	struct entry *entry = PV_WHOLE(struct entry, link, cache->line.first);
	pv_line_remove(&cache->line, &entry->link);
	pv_named_remove(&cache->hosts, &entry->named);
	empty(entry);
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

static void *copy_of(const void *bytes, size_t size)
{
	return size ? memcpy(pv_alloc(size), bytes, size) : NULL;
}

static void pack(struct entry *entry, const struct pv_name_answer *answer)
{
	size_t more = answer->count > 1 ? answer->count - 1 : 0;
	size_t why = strnlen(answer->why, sizeof(answer->why) - 1);
	empty(entry);
	entry->kept_until = answer->kept_until;
	entry->took_ms = answer->took_ms;
	entry->why = copy_of(answer->why, why ? why + 1 : 0);
	entry->more =
	    copy_of(answer->addresses + 1, more * sizeof(*answer->addresses));
	entry->result = answer->result;
	entry->port = answer->port;
	entry->count = (uint8_t)answer->count;
	entry->is_own = answer->is_own;
	if (answer->result == PV_NAME_FOUND)
		entry->first = answer->addresses[0];
}

static void unpack(const struct entry *entry, struct pv_name_answer *answer)
{
	*answer = (struct pv_name_answer){
	    .result = entry->result,
	    .count = entry->count,
	    .port = entry->port,
	    .is_own = entry->is_own,
	    .kept_until = entry->kept_until,
	    .took_ms = entry->took_ms,
	};
	if (entry->count)
		answer->addresses[0] = entry->first;
	if (entry->more)
		memcpy(answer->addresses + 1, entry->more,
		    (entry->count - 1u) * sizeof(*entry->more));
	if (entry->why)
		memcpy(answer->why, entry->why, strlen(entry->why) + 1);
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
	pack(entry, answer);
}

const struct pv_name_answer *pv_name_cache_get(
    struct pv_name_cache *cache, struct pv_str host, int64_t now)
{
	struct entry *entry = get(cache, host);
	if (!entry || entry->kept_until <= now)
		return NULL;
	use(cache, entry);
	unpack(entry, &cache->told);
	return &cache->told;
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
		entry->kept_until = INT64_MIN;
}
