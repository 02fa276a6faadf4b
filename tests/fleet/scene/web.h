#ifndef PAVANE_TESTS_FLEET_SCENE_WEB_H
#define PAVANE_TESTS_FLEET_SCENE_WEB_H

#include <stddef.h>
#include <stdint.h>

#include "server/server.h"

/* A web of many hosts: a front page that links to ten pages, of which each links to
 * twenty pages of other hosts. The same each time, so that what can be reached is
 * known. The hosts are at addresses from 127.0.1.1 on, and named by them, or as
 * "h7.a3.test" where some are at an address together. */
#define WEB_PAGES 11 /* of a host; the front page as well */
#define WEB_LINKS 20
#define WEB_HOSTS_MAX 50000

struct web {
	unsigned hosts;
	unsigned together;   /* hosts at each address; 0 is 1 */
	unsigned latency_ms; /* before each answer */
};

/* For server_plan; the context is a struct web. */
bool web_answer(void *ctx, const struct server_request *request,
    struct server_answer *answer);

/* The first host's name; and for a policy's fetch.resolve where the addresses are,
 * "\"*.a0.test\": 127.0.1.1, ...". */
void web_append_first(const struct web *web, struct pv_buf *text);
void web_append_addresses(const struct web *web, struct pv_buf *text);

/* How many pages can be reached from the front page of the first host. */
size_t web_count_reachable(const struct web *web);

/* Which page of all that is, from 0; false if it is none. The path is one with a
 * slash at its front. */
bool web_find_page(const struct web *web, struct pv_str host,
    struct pv_str path, size_t *page);

#endif
