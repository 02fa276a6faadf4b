#include "robots/matcher.h"

#include <stdio.h>
#include <time.h>

/* What it costs to ask a robots.txt about an address, and to read it: for one
 * as most sites have it, for the largest that is read, and for one that means
 * harm. The ratio is to a walk over all rules. */

#define PATHS 4

static const struct pv_str paths[PATHS] = {
    PV_STR("/en/java/javase/21/docs/api/java.base/java/util/ArrayList.html"),
    PV_STR("/search?q=array+list&page=2"),
    PV_STR("/products/17/list-4321.html"),
    PV_STR("/caf%C3%A9/%7Ejoe/index.html"),
};

static double now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void write_typical(struct pv_buf *text)
{
	pv_buf_append_text(text,
	    "User-agent: *\nCrawl-delay: 1\nDisallow: /search\n"
	    "Disallow: /cgi-bin/\nDisallow: /admin/\nAllow: /admin/help\n"
	    "Disallow: /*?sort=\nDisallow: /*.pdf$\nDisallow: /tmp/\n"
	    "Disallow: /cart\nDisallow: /checkout\nDisallow: /login\n"
	    "Disallow: /*/print/\nDisallow: /feed/\n\n"
	    "User-agent: otherbot\nDisallow: /\n\n"
	    "Sitemap: https://example.org/sitemap.xml\n");
}

static void write_large(struct pv_buf *text)
{
	pv_buf_append_text(text, "User-agent: *\n");
	for (unsigned i = 0; !text->is_full; i++)
		pv_buf_append_format(
		    text, "Disallow: /products/%u/list-%u\n", i % 97, i);
}

/* As many wildcards as are tried one by one, none of which is in the end. */
static void write_harmful(struct pv_buf *text)
{
	pv_buf_append_text(text, "User-agent: *\n");
	for (unsigned i = 0; i < PV_ROBOTS_CEILINGS.wildcards.rules; i++)
		pv_buf_append_format(text, "Disallow: /*a*t*l*i*s*t*ml%u\n", i);
}

/* To be used, so that no work is left out. */
static volatile unsigned found;

static double measure_matching(
    const struct pv_robots_matcher *matcher, unsigned rounds)
{
	double start = now_ns();
	for (unsigned round = 0; round < rounds; round++) {
		for (size_t i = 0; i < PATHS; i++)
			found += pv_robots_decide(matcher, paths[i]).number;
	}
	return (now_ns() - start) / rounds / PATHS;
}

static double measure_walking(const struct pv_robots *robots, unsigned rounds)
{
	double start = now_ns();
	for (unsigned round = 0; round < rounds; round++) {
		for (size_t i = 0; i < PATHS; i++) {
			for (size_t j = 0; j < robots->rule_count; j++)
				found += pv_robots_rule_matches(
				    &robots->rules[j], paths[i]);
		}
	}
	return (now_ns() - start) / rounds / PATHS;
}

static void measure(
    const char *name, void (*write)(struct pv_buf *), unsigned rounds)
{
	struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_buf text;
	pv_buf_init(&text, ceilings.bytes);
	write(&text);
	double start = now_ns();
	struct pv_robots *robots =
	    pv_robots_create(pv_buf_str(&text), false, &ceilings, NULL);
	struct pv_robots_matcher *matcher =
	    pv_robots_matcher_create(robots, PV_STR("examplebot"));
	double reading = now_ns() - start;
	double matching = measure_matching(matcher, rounds);
	double walking = measure_walking(robots, rounds / 10 + 1);
	printf("robots: %s, %zu rules: read in %.0f us, %.0f ns an address, "
	       "%.1f times as fast as a walk over all\n",
	    name, robots->rule_count, reading / 1e3, matching,
	    walking / matching);
	pv_robots_matcher_destroy(matcher);
	pv_robots_destroy(robots);
	pv_buf_finish(&text);
}

int main(void)
{
	measure("typical", write_typical, 200000);
	measure("500 KiB", write_large, 200000);
	measure("wildcards", write_harmful, 1000);
	return 0;
}
