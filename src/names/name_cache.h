#ifndef PAVANE_NAMES_NAME_CACHE_H
#define PAVANE_NAMES_NAME_CACHE_H

#include "base/line.h"
#include "base/named_table.h"
#include "names/names.h"

/* What is known of hosts: at most so many, of which the one that was longest
 * not asked for makes room for the next. Time is given. */
struct pv_name_cache {
	struct pv_named_table hosts;
	struct pv_line line; /* in the order of their use */
	size_t ceiling;
	struct pv_name_answer told; /* last */
};

/* For `ceiling` names, at least 1; no stranger knows the key. */
void pv_name_cache_init(
    struct pv_name_cache *cache, size_t ceiling, struct pv_hash_key key);
void pv_name_cache_finish(struct pv_name_cache *cache);

/* Keeps an answer, in place of what there was. */
void pv_name_cache_put(struct pv_name_cache *cache, struct pv_str host,
    const struct pv_name_answer *answer);

/* NULL if nothing is known, or not any more. Valid until the next call. */
const struct pv_name_answer *pv_name_cache_get(
    struct pv_name_cache *cache, struct pv_str host, int64_t now);

/* The first address that was last found for a host, however long ago; NULL if
 * none is known. */
const struct pv_address *pv_name_cache_first(
    const struct pv_name_cache *cache, struct pv_str host);

/* Takes what is known of a host for too old. */
void pv_name_cache_expire(struct pv_name_cache *cache, struct pv_str host);

#endif
