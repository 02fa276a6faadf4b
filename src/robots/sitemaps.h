#ifndef PAVANE_ROBOTS_SITEMAPS_H
#define PAVANE_ROBOTS_SITEMAPS_H

#include "base/arena.h"
#include "base/map.h"

/* The sitemaps that a robots.txt names: absolute web addresses, in their
 * canonical form, none twice, and no more than a ceiling. They may lie on any
 * host; whether they are ours is for the scope to say. */
struct pv_robots_sitemaps {
	struct pv_str *items; /* in the arena that they were added with */
	size_t count;
	size_t size;
	size_t count_max;
	struct pv_map known;
};

enum pv_robots_sitemap_result {
	PV_ROBOTS_SITEMAP_ADDED,
	PV_ROBOTS_SITEMAP_KNOWN,
	PV_ROBOTS_SITEMAP_NO_ADDRESS, /* relative, or not of the web */
	PV_ROBOTS_SITEMAP_TOO_MANY,
};

void pv_robots_sitemaps_init(
    struct pv_robots_sitemaps *sitemaps, size_t count_max);
void pv_robots_sitemaps_finish(struct pv_robots_sitemaps *sitemaps);

enum pv_robots_sitemap_result pv_robots_sitemaps_add(
    struct pv_robots_sitemaps *sitemaps, struct pv_arena *arena,
    struct pv_str value);

#endif
