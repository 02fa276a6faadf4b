#include "robots/sitemaps.h"

#include <stdlib.h>

#include "base/array.h"
#include "url/url.h"

#define ADDRESS_BYTES_MAX 8192

void pv_robots_sitemaps_init(
    struct pv_robots_sitemaps *sitemaps, size_t count_max)
{
	*sitemaps = (struct pv_robots_sitemaps){.count_max = count_max};
	/* A stranger who makes texts collide gains little: there are no more
	 * of them than the ceiling says. */
	pv_map_init(&sitemaps->known, (struct pv_hash_key){{0, 0}});
}

void pv_robots_sitemaps_finish(struct pv_robots_sitemaps *sitemaps)
{
	free(sitemaps->items);
	pv_map_finish(&sitemaps->known);
	*sitemaps = (struct pv_robots_sitemaps){.count = 0};
}

static enum pv_robots_sitemap_result add_address(
    struct pv_robots_sitemaps *sitemaps, struct pv_arena *arena,
    struct pv_str address)
{
	if (pv_map_get(&sitemaps->known, address))
		return PV_ROBOTS_SITEMAP_KNOWN;
	if (sitemaps->count == sitemaps->count_max)
		return PV_ROBOTS_SITEMAP_TOO_MANY;
	struct pv_str copy = pv_arena_copy(arena, address);
	pv_map_add(&sitemaps->known, copy, (uint32_t)sitemaps->count);
	*PV_ARRAY_PUSH(sitemaps->items, sitemaps->count, sitemaps->size) = copy;
	return PV_ROBOTS_SITEMAP_ADDED;
}

enum pv_robots_sitemap_result pv_robots_sitemaps_add(
    struct pv_robots_sitemaps *sitemaps, struct pv_arena *arena,
    struct pv_str value)
{
	enum pv_robots_sitemap_result result = PV_ROBOTS_SITEMAP_NO_ADDRESS;
	struct pv_url url;
	pv_url_init(&url, ADDRESS_BYTES_MAX);
	if (pv_url_parse(&url, value) == PV_URL_OK)
		result = add_address(sitemaps, arena, pv_url_page(&url));
	pv_url_finish(&url);
	return result;
}
