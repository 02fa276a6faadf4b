#ifndef PAVANE_TESTS_CRAWL_POLITE_SCENE_H
#define PAVANE_TESTS_CRAWL_POLITE_SCENE_H

#include "crawl/scene.h"

/* One crawl of many hosts, each at an address of its own, with manners of its
 * own: what is claimed of one of them is claimed of what the server's log has
 * of it, and they all wait at the same time. */
#define POLITE_OWN_ADDRESS 100 /* others are below */

struct polite_host {
	const char *name;    /* without ".test" */
	const char *seeds;   /* what stands behind the port; NULL for none */
	const char *manners; /* its entry in the domain table; NULL for none */
	unsigned address;    /* its last number; 0 for one that no other has */
};

struct polite_plan {
	const struct polite_host *hosts;
	size_t host_count;
	const struct server_route *routes;
	size_t route_count;
	server_answer_fn answer;
	void *ctx;
	bool has_tls;
	const char *seeds;    /* further lines of them; NULL for none */
	const char *policy;   /* further lines, politeness among them */
	const char *timeouts; /* NULL for those that everybody has */
	const char *rate;     /* NULL for one that is in nobody's way */
};

#define POLITE_HOSTS(table) \
	.hosts = (table), .host_count = sizeof(table) / sizeof(*(table))
#define POLITE_ROUTES(table) \
	.routes = (table), .route_count = sizeof(table) / sizeof(*(table))

/* Where a rest is as long as some times what an answer took, that answer takes
 * so much longer than is claimed of it: a busy machine may tell us of bytes
 * that have gone out when the server has had them for a while. */
#define POLITE_SLACK_MS 200

#define POLITE_TEXT(text)                            \
	{                                            \
		.type = "text/plain", .body = (text) \
	}

static inline void polite_write_policy(
    struct crawl_scene *scene, const struct polite_plan *plan)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_format(&text,
	    "version: 1\noutput: {}\nrate: {%s}\nseeds:\n",
	    plan->rate ? plan->rate
		       : "max_rate: 1000, interval: 100ms, concurrency: 200");
	for (size_t i = 0; i < plan->host_count; i++) {
		if (plan->hosts[i].seeds)
			pv_buf_append_format(&text,
			    "  - \"http://%s.test:PORT/%s\"\n",
			    plan->hosts[i].name, plan->hosts[i].seeds);
	}
	pv_buf_append_text(&text, plan->seeds ? plan->seeds : "");
	pv_buf_append_text(&text, "domains:\n  unknown.test: {delay: 1s}\n");
	for (size_t i = 0; i < plan->host_count; i++) {
		if (plan->hosts[i].manners)
			pv_buf_append_format(&text, "  %s.test: {%s}\n",
			    plan->hosts[i].name, plan->hosts[i].manners);
	}
	pv_buf_append_text(&text, plan->policy);
	pv_buf_append_format(&text,
	    "fetch:\n  retries: 1\n  timeout: {%s}\n  resolve:\n",
	    plan->timeouts ? plan->timeouts : "");
	for (size_t i = 0; i < plan->host_count; i++)
		pv_buf_append_format(&text, "    %s.test: \"127.81.0.%zu\"\n",
		    plan->hosts[i].name,
		    plan->hosts[i].address ? plan->hosts[i].address
					   : POLITE_OWN_ADDRESS + i);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static inline bool polite_open(
    struct crawl_scene *scene, const struct polite_plan *plan)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan server = {
	    .addresses = everywhere,
	    .has_tls = plan->has_tls,
	    .routes = plan->routes,
	    .route_count = plan->route_count,
	    .answer = plan->answer,
	    .ctx = plan->ctx,
	};
	if (!ok(crawl_scene_open(scene, &server), "the hosts are there"))
		return false;
	polite_write_policy(scene, plan);
	return true;
}

/* Of a host and a target (globs; NULL is any), in the order in which requests
 * began. */
static inline struct log_view polite_view(
    struct crawl_scene *scene, const char *host, const char *target)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, host, target);
	return view;
}

static inline size_t polite_asked(
    struct crawl_scene *scene, const char *host, const char *target)
{
	struct log_view view = polite_view(scene, host, target);
	size_t count = view.count;
	log_view_finish(&view);
	return count;
}

/* The shortest time from one beginning to the next, of each of these hosts. */
static inline int64_t polite_gap_us(struct crawl_scene *scene, const char *host)
{
	struct log_view view = polite_view(scene, host, NULL);
	int64_t gap_us = log_shortest_gap(&view, LOG_BY_HOST).us;
	log_view_finish(&view);
	return gap_us;
}

/* The shortest time from an end to the next beginning. */
static inline int64_t polite_rest_us(
    struct crawl_scene *scene, const char *host)
{
	struct log_view view = polite_view(scene, host, NULL);
	int64_t rest_us = log_shortest_rest(&view, LOG_BY_HOST).us;
	log_view_finish(&view);
	return rest_us;
}

/* Claims that a host was asked so often at least, and rested so long each
 * time. */
static inline void polite_rests(struct crawl_scene *scene, const char *host,
    int64_t rest_ms, const char *claim)
{
	int64_t rest_us = polite_rest_us(scene, host);
	size_t asked = polite_asked(scene, host, NULL);
	ok(asked > 1 && rest_us >= rest_ms * 1000,
	    "%s: %s: no rest under %lld ms (%.3f ms, of %zu requests)", host,
	    claim, (long long)rest_ms, (double)rest_us / 1000, asked);
}

static inline void polite_gaps(struct crawl_scene *scene, const char *host,
    int64_t gap_ms, const char *claim)
{
	int64_t gap_us = polite_gap_us(scene, host);
	size_t asked = polite_asked(scene, host, NULL);
	ok(asked > 1 && gap_us >= gap_ms * 1000,
	    "%s: %s: no two beginnings under %lld ms (%.3f ms, of %zu)", host,
	    claim, (long long)gap_ms, (double)gap_us / 1000, asked);
}

/* The rest after the nth request of a host, from 0, or -1. */
static inline int64_t polite_rest_after_us(
    const struct log_view *view, size_t number)
{
	if (number + 1 >= view->count)
		return -1;
	return view->records[number + 1].begin_us -
	       view->records[number].end_us;
}

/* Claims that one host rested so long after each answer of that status. */
static inline void polite_rests_after(struct crawl_scene *scene,
    const char *host, int status, int64_t rest_ms, const char *claim)
{
	struct log_view view = polite_view(scene, host, NULL);
	int64_t least_us = INT64_MAX;
	for (size_t i = 0; i + 1 < view.count; i++) {
		int64_t rest_us = polite_rest_after_us(&view, i);
		if (view.records[i].status == status && rest_us < least_us)
			least_us = rest_us;
	}
	ok(least_us != INT64_MAX && least_us >= rest_ms * 1000,
	    "%s: %s: no rest under %lld ms after %d (%.3f ms)", host, claim,
	    (long long)rest_ms, status, (double)least_us / 1000);
	log_view_finish(&view);
}

/* Claims that the crawl's own ledger tells of nothing that was broken. */
static inline void polite_audit(struct crawl_scene *scene)
{
	static const char *const arguments[] = {"audit", "o", NULL};
	struct program_end end;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_run(&scene->home, arguments, &said, &end);
	if (!ok(end.status == 0,
		"the audit of it finds nothing that is broken"))
		printf("# it said: %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
}

/* How many addresses of a host have an end that says so. */
static inline size_t polite_ends(
    struct crawl_scene *scene, const char *host, const char *text)
{
	char url[120];
	snprintf(url, sizeof(url), "\"url\":\"http://%.80s:", host);
	return crawl_scene_lines(scene, url, text, "\"final\":true", NULL);
}

#endif
