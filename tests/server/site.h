#ifndef PAVANE_TESTS_SERVER_SITE_H
#define PAVANE_TESTS_SERVER_SITE_H

#include "server/server.h"

/* A made-up site, the same each time: so many pages, "/" and "/page/1" and so
 * on, for whatever host is asked for. Each page links to those below it in a
 * tree, so that all can be found from "/", and to others of the site at random.
 *
 *	struct site site = {.pages = 500, .links = 20, .size = 8192,
 *	    .robots = "User-agent: *\nDisallow: /page/13\n"};
 *	struct server_plan plan = {.answer = site_answer, .ctx = &site};
 *
 * Routes come first: what one host has of its own stands there.
 */
struct site {
	uint32_t pages;
	uint32_t links;     /* on each page, at most SITE_LINKS_MAX */
	size_t size;        /* bytes of a page, or what the links need */
	const char *robots; /* robots.txt; there is none if NULL */
	uint32_t latency_ms;
	uint64_t seed;

	/* Where there are several hosts, of names such as h7.test, the last
	 * link of each page goes to the front page of any, at the port that was
	 * asked. */
	uint32_t hosts;
	const char *host_prefix; /* "h" */
	const char *host_suffix; /* ".test" */
};

#define SITE_LINKS_MAX 1000

/* For server_plan; the context is a struct site. */
bool site_answer(void *ctx, const struct server_request *request,
    struct server_answer *answer);

/* The links of a page to its own site, as numbers of pages; how many. */
size_t site_links(
    const struct site *site, uint32_t page, uint32_t links[SITE_LINKS_MAX]);

/* Which page that is; false if it is none. */
bool site_page(const struct site *site, struct pv_str path, uint32_t *page);

#endif
