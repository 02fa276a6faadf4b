#include "crawl/run/origins.h"

/* A seed file could name any number of them; a secret is for a few. */
#define ORIGINS_MAX 100000

void pv_origins_init(struct pv_origins *origins)
{
	pv_map_init(&origins->map, (struct pv_hash_key){{0}});
	pv_arena_init(&origins->texts);
}

void pv_origins_finish(struct pv_origins *origins)
{
	pv_map_finish(&origins->map);
	pv_arena_finish(&origins->texts);
}

void pv_origins_add(struct pv_origins *origins, struct pv_str authority)
{
	if (origins->map.count >= ORIGINS_MAX ||
	    pv_origins_has(origins, authority))
		return;
	pv_map_add(&origins->map, pv_arena_copy(&origins->texts, authority), 0);
}

bool pv_origins_has(const struct pv_origins *origins, struct pv_str authority)
{
	return pv_map_get(&origins->map, authority) != NULL;
}
