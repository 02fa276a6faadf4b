#include "robots/sitemaps.h"

#include "tap.h"

static const struct {
	const char *claim;
	const char *value;
	enum pv_robots_sitemap_result result;
} cases[] = {
    {"an absolute address is taken", "https://example.org/sitemap.xml",
	PV_ROBOTS_SITEMAP_ADDED},
    {"it is not taken twice", "https://example.org/sitemap.xml",
	PV_ROBOTS_SITEMAP_KNOWN},
    {"however it is written", "HTTPS://EXAMPLE.org:443/a/../sitemap.xml#x",
	PV_ROBOTS_SITEMAP_KNOWN},
    {"another host is fine", "http://other.test/", PV_ROBOTS_SITEMAP_ADDED},
    {"a path is no address", "/sitemap.xml", PV_ROBOTS_SITEMAP_NO_ADDRESS},
    {"nor is a host", "//example.org/s.xml", PV_ROBOTS_SITEMAP_NO_ADDRESS},
    {"a file of ours is none", "file:///etc/passwd",
	PV_ROBOTS_SITEMAP_NO_ADDRESS},
    {"another scheme is none", "ftp://example.org/s.xml",
	PV_ROBOTS_SITEMAP_NO_ADDRESS},
    {"nothing is none", "", PV_ROBOTS_SITEMAP_NO_ADDRESS},
    {"past the ceiling no more are taken (P5)", "https://third.test/",
	PV_ROBOTS_SITEMAP_TOO_MANY},
};

int main(void)
{
	struct pv_robots_sitemaps sitemaps;
	struct pv_arena arena;
	pv_arena_init(&arena);
	pv_robots_sitemaps_init(&sitemaps, 2);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(pv_robots_sitemaps_add(&sitemaps, &arena,
		       pv_str_of(cases[i].value)) == cases[i].result,
		    "%s", cases[i].claim);
	ok(sitemaps.count == 2, "those that were taken are there");
	is_text(sitemaps.items[0], "https://example.org/sitemap.xml",
	    "in their order");
	is_text(sitemaps.items[1], "http://other.test/", "and canonical");
	pv_robots_sitemaps_finish(&sitemaps);
	pv_arena_finish(&arena);
	return tap_done();
}
