#ifndef PAVANE_TESTS_CRAWL_ROBOTS_SCENE_H
#define PAVANE_TESTS_CRAWL_ROBOTS_SCENE_H

#include "crawl/scene.h"

/* A crawl of some hosts, each at an address of its own, of which the
 * page "/" leads to "/a" and "/b". */
#define DELAY_MS 100

/* Long enough for whoever answers, however busy the machine is. */
#define ANSWER_MS 3600000

struct robots_plan {
	const char *const *hosts; /* ended by NULL */
	const struct server_route *routes;
	size_t route_count;
	const struct server_door *doors;
	size_t door_count;
	const char *policy;  /* further lines */
	const char *resolve; /* further lines of fetch */
	unsigned timeout_ms; /* for an answer; 0 for ANSWER_MS */
};

static inline bool robots_answer(void *ctx,
    const struct server_request *request, struct server_answer *answer)
{
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/")))
		answer->body = "<a href=/a>a</a><a href=/b>b</a>";
	else if (pv_str_equal(request->path, PV_STR("/a")) ||
		 pv_str_equal(request->path, PV_STR("/b")))
		answer->body = "a page";
	else
		return false;
	return true;
}

static inline void robots_write_policy(
    struct crawl_scene *scene, const struct robots_plan *plan)
{
	struct pv_buf text;
	unsigned answer_ms = plan->timeout_ms ? plan->timeout_ms : ANSWER_MS;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_text(&text, "version: 1\nseeds:\n");
	for (size_t i = 0; plan->hosts[i]; i++)
		pv_buf_append_format(
		    &text, "  - \"http://%s:PORT/\"\n", plan->hosts[i]);
	pv_buf_append_format(&text,
	    "politeness: {delay: %dms, delay_from: start, delay_factor: 0, "
	    "ip_delay: 0, backoff: {failure: 400ms, overload: 400ms, "
	    "factor: 5}}\n"
	    "output: {}\n"
	    "%s"
	    "fetch:\n"
	    "  timeout: {connect: 1h, first_byte: %ums, stall: 1h, "
	    "total: 1h}\n"
	    "  resolve:\n",
	    DELAY_MS, plan->policy ? plan->policy : "", answer_ms);
	for (size_t i = 0; plan->hosts[i]; i++)
		pv_buf_append_format(
		    &text, "    %s: \"127.68.0.%zu\"\n", plan->hosts[i], i + 1);
	pv_buf_append_text(&text, plan->resolve ? plan->resolve : "");
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static inline bool robots_open(
    struct crawl_scene *scene, const struct robots_plan *plan)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan server = {
	    .addresses = everywhere,
	    .routes = plan->routes,
	    .route_count = plan->route_count,
	    .doors = plan->doors,
	    .door_count = plan->door_count,
	    .answer = robots_answer,
	};
	if (!ok(crawl_scene_open(scene, &server), "the hosts are there"))
		return false;
	robots_write_policy(scene, plan);
	return true;
}

/* How often a host was asked for a target. */
static inline size_t robots_asked(
    struct crawl_scene *scene, const char *host, const char *target)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = log_count(&view, host, target);
	log_view_finish(&view);
	return count;
}

/* Whether a host's robots.txt comes before all else that it is asked for, and
 * as often as that. */
static inline bool robots_come_first(
    struct crawl_scene *scene, const char *host, size_t times)
{
	struct log_view view = log_view_of(scene->server);
	size_t before = 0;
	log_view_keep(&view, host, NULL);
	while (before < view.count &&
	       pv_str_equal(view.records[before].target, PV_STR("/robots.txt")))
		before++;
	bool is_first =
	    before == times && log_count(&view, NULL, "/robots.txt") == times;
	log_view_finish(&view);
	return is_first;
}

/* The shortest time between two requests to a host. */
static inline int64_t robots_gap_us(struct crawl_scene *scene, const char *host)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, host, NULL);
	int64_t gap_us = log_shortest_gap(&view, LOG_BY_HOST).us;
	log_view_finish(&view);
	return gap_us;
}

#endif
