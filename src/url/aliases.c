#include "url/aliases.h"

#include <stdlib.h>

#include "base/array.h"
#include "url/site.h"

/* The author of the policy chooses its names: no stranger can make them
 * collide. */
static const struct pv_hash_key hash_key = {{0x70617661, 0x6e65}};

/* No name that can be looked up is longer. */
#define NAME_MAX_BYTES ((size_t)253)

void pv_aliases_init(struct pv_aliases *aliases)
{
	*aliases = (struct pv_aliases){.targets = NULL};
	pv_map_init(&aliases->names, hash_key);
	pv_arena_init(&aliases->arena);
}

void pv_aliases_finish(struct pv_aliases *aliases)
{
	pv_map_finish(&aliases->names);
	free(aliases->targets);
	free(aliases->beginnings);
	pv_arena_finish(&aliases->arena);
}

void pv_aliases_add(
    struct pv_aliases *aliases, struct pv_str alias, struct pv_str target)
{
	if (pv_str_ends(alias, PV_STR(".*"))) {
		*PV_ARRAY_PUSH(aliases->beginnings, aliases->beginning_count,
		    aliases->beginning_size) = pv_arena_copy(&aliases->arena,
		    pv_str_head(alias, alias.len - 1));
		return;
	}
	if (pv_map_add(&aliases->names, pv_arena_copy(&aliases->arena, alias),
		(uint32_t)aliases->target_count))
		*PV_ARRAY_PUSH(aliases->targets, aliases->target_count,
		    aliases->target_size) =
		    pv_arena_copy(&aliases->arena, target);
}

/* How long the beginning is that a name has; 0 if it has none, or nothing would
 * be left of its site without it. */
static size_t beginning_of(const struct pv_aliases *aliases, struct pv_str name)
{
	for (size_t i = 0; i < aliases->beginning_count; i++) {
		size_t len = aliases->beginnings[i].len;
		if (pv_str_starts(name, aliases->beginnings[i]) &&
		    name.len > len && name.len - len >= pv_site_of(name).len)
			return len;
	}
	return 0;
}

bool pv_aliases_find(
    const struct pv_aliases *aliases, struct pv_str name, struct pv_str *target)
{
	bool is_alias = false;
	size_t len = 1;
	while (len && name.len <= NAME_MAX_BYTES) {
		const uint32_t *found = pv_map_get(&aliases->names, name);
		if (found) {
			*target = aliases->targets[*found];
			return true;
		}
		len = beginning_of(aliases, name);
		is_alias |= len > 0;
		name = pv_str_from(name, len);
	}
	if (is_alias)
		*target = name;
	return is_alias;
}
