#ifndef PAVANE_TESTS_CRAWL_HOSTILE_H
#define PAVANE_TESTS_CRAWL_HOSTILE_H

#include <limits.h>

#include "crawl/patience.h"
#include "crawl/scene.h"

/* Hosts that misbehave, each in its own way and at an address of its own, in
 * one crawl with a host that does not: so whatever one of them does is seen
 * to harm nobody else.
 *
 * What is claimed after each such crawl: it ends, with its documented status, and
 * within a stated memory; the innocent host is asked for all of its pages at its
 * full rate, and nobody faster than its delay allows; the loop was never held up
 * for long; each address has exactly one last line in the journal, with what
 * became of it; and nothing that came in part is kept.
 *
 * What the loop waits for a processor is taken off both times. Where a host's
 * misdeed is to take its time, it gets HOSTILE_FETCH, and else all the time that
 * a busy machine may need for what is not late.
 */
#define DELAY_MS 200
#define INNOCENT_PAGES 11
#define MEMORY_MAX ((size_t)48 << 20)
#define HOSTILE_FETCH                                          \
	"  timeout: {connect: 3s, first_byte: 3s, stall: 3s, " \
	"total: 4s}\n  max_size: 1MiB\n"
#define PATIENT_FETCH                                          \
	"  timeout: {connect: 1h, first_byte: 1h, stall: 1h, " \
	"total: 1h}\n  max_size: 1MiB\n"
#define LEAST_RATE (IS_SANITIZED ? 0.4 : 0.6)

/* Nor is a rate more than the machine leaves to all threads and to the server,
 * of which only the loop's wait is known. */
static inline double hostile_least_rate(void)
{
	double times = patience() / PATIENCE_LEAST;
	return LEAST_RATE / (IS_SANITIZED ? times / 10 : times);
}

#define NO_REQUESTS UINT_MAX

struct misdeed {
	const char *host;            /* without ".test" */
	struct server_answer answer; /* to "/" */
	const char *outcome;
	const char *or_outcome; /* where it depends on who comes first */
	unsigned requests;      /* for "/"; 0 is 1, and for none NO_REQUESTS */
	bool is_kept;
	const char *line;   /* what else stands in its last line; or NULL */
	const char *scheme; /* NULL is http */
	const char *end;  /* "HOST:PORT" it really is at; NULL is the server */
	bool is_tls_port; /* the server's other port, whatever the scheme */
	bool has_no_robots; /* its robots.txt is not asked for */
};

struct misdeeds {
	const struct misdeed *items;
	size_t count;
	struct server_plan plan; /* beside what is made of the items */
	const struct server_route *routes; /* that come before them */
	size_t route_count;
	const char *policy; /* further lines, PORT in them the server's */
	const char *fetch;  /* instead of PATIENT_FETCH; or NULL */
	const char *scope;  /* NULL is none */
	size_t memory_max;  /* 0 is MEMORY_MAX */
	size_t more;        /* addresses with a last line beside those of the
			       items and the innocent host's */
	int status;
	bool is_work; /* what they send keeps the processor busy, so that the
			 innocent host's rate is the machine's */
};

#define MISDEEDS(table) \
	.items = (table), .count = sizeof(table) / sizeof(*(table))
#define MORE_ROUTES(table) \
	.routes = (table), .route_count = sizeof(table) / sizeof(*(table))

static struct site innocent = {
    .pages = INNOCENT_PAGES, .links = INNOCENT_PAGES - 1};

/* The server */

static inline struct server_route *hostile_routes(
    const struct misdeeds *misdeeds)
{
	struct server_route *routes =
	    calloc(misdeeds->count + misdeeds->route_count, sizeof(*routes));
	struct server_route *at = routes;
	for (size_t i = 0; i < misdeeds->route_count; i++)
		*at++ = misdeeds->routes[i];
	for (size_t i = 0; i < misdeeds->count; i++) {
		char *host = malloc(80);
		snprintf(host, 80, "%s.test", misdeeds->items[i].host);
		*at++ = (struct server_route){.host = host,
		    .path = "/",
		    .answer = misdeeds->items[i].answer};
	}
	return routes;
}

static inline void hostile_routes_free(
    struct server_route *routes, const struct misdeeds *misdeeds)
{
	for (size_t i = 0; i < misdeeds->count; i++)
		free((void *)(uintptr_t)routes[misdeeds->route_count + i].host);
	free(routes);
}

/* The policy */

static inline void hostile_write_url(const struct crawl_scene *scene,
    const struct misdeed *misdeed, struct pv_buf *url)
{
	bool is_tls = misdeed->scheme && strcmp(misdeed->scheme, "https") == 0;
	unsigned port = is_tls != misdeed->is_tls_port
			    ? server_tls_port(scene->server)
			    : server_port(scene->server);
	pv_buf_append_format(url, "%s://%s.test:%u/", is_tls ? "https" : "http",
	    misdeed->host, port);
}

static inline void hostile_write_ways(
    const struct misdeeds *misdeeds, struct pv_buf *text)
{
	pv_buf_append_text(text, "  resolve:\n"
				 "    innocent.test: \"127.66.1.1\"\n");
	for (size_t i = 0; i < misdeeds->count; i++) {
		const struct misdeed *misdeed = &misdeeds->items[i];
		pv_buf_append_format(text, "    %s.test: \"", misdeed->host);
		if (misdeed->end)
			pv_buf_append_text(text, misdeed->end);
		else
			pv_buf_append_format(text, "127.66.0.%zu", i + 1);
		pv_buf_append_text(text, "\"\n");
	}
}

static inline void hostile_write_robots(
    const struct misdeeds *misdeeds, struct pv_buf *text)
{
	for (size_t i = 0; i < misdeeds->count; i++) {
		if (misdeeds->items[i].has_no_robots)
			pv_buf_append_format(text,
			    "  %s.test: {robots: ignore}\n",
			    misdeeds->items[i].host);
	}
}

static inline void hostile_write_policy(
    struct crawl_scene *scene, const struct misdeeds *misdeeds)
{
	const char *authority = server_authority_path(scene->server);
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	pv_buf_append_text(&text, "version: 1\nseeds:\n"
				  "  - \"http://innocent.test:PORT/\"\n");
	for (size_t i = 0; i < misdeeds->count; i++) {
		pv_buf_append_text(&text, "  - \"");
		hostile_write_url(scene, &misdeeds->items[i], &text);
		pv_buf_append_text(&text, "\"\n");
	}
	pv_buf_append_format(&text,
	    "rate: {max_rate: 200, interval: 100ms, concurrency: 100}\n"
	    "politeness: {delay: %dms, delay_from: start, delay_factor: 0, "
	    "ip_delay: 0, backoff: {failure: %dms, overload: %dms, "
	    "factor: 1}}\n"
	    "scope: {%s}\n"
	    "domains:\n  other.test: {}\n",
	    DELAY_MS, DELAY_MS, DELAY_MS,
	    misdeeds->scope ? misdeeds->scope : "");
	hostile_write_robots(misdeeds, &text);
	pv_buf_append_text(&text, misdeeds->policy ? misdeeds->policy : "");
	pv_buf_append_format(&text,
	    "output: {mirror: {rewrite: false}}\n"
	    "fetch:\n"
	    "%s"
	    "  retries: 1\n  redirects: 5\n",
	    misdeeds->fetch ? misdeeds->fetch : PATIENT_FETCH);
	if (authority)
		pv_buf_append_format(&text, "  tls: {ca: \"%s\"}\n", authority);
	hostile_write_ways(misdeeds, &text);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

/* Claims */

/* Which rate it had, compared with one request each delay, from when its pages
 * are known: its first page's links come with a commit that may hold all links
 * of a page of another's. */
static inline double hostile_rate(
    const struct log_view *view, int64_t waited_us)
{
	const size_t first = 2;
	if (view->count <= first + 1)
		return 0;
	int64_t took_us = view->records[view->count - 1].begin_us -
			  view->records[first].begin_us;
	int64_t least_us = (int64_t)(view->count - 1 - first) * DELAY_MS * 1000;
	int64_t own_us = took_us - waited_us;
	return own_us > least_us ? (double)least_us / (double)own_us : 1;
}

static inline void hostile_judge_innocent_rate(
    const struct crawl_scene *scene, const struct log_view *view)
{
	double rate = hostile_rate(view, scene->end.waited_us);
	double least = hostile_least_rate();
	ok(rate >= least, "and keeps its rate (%.1f %% of at least %.1f %%)",
	    rate * 100, least * 100);
}

static inline void hostile_judge_innocent_of(
    struct crawl_scene *scene, bool has_rate)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, "innocent.test", NULL);
	ok(view.count == INNOCENT_PAGES + 1,
	    "the innocent host is asked for its robots.txt and all pages, "
	    "each once (%zu)",
	    view.count);
	if (has_rate)
		hostile_judge_innocent_rate(scene, &view);
	log_view_finish(&view);
}

static inline void hostile_judge_innocent(struct crawl_scene *scene)
{
	hostile_judge_innocent_of(scene, true);
}

static inline void hostile_judge_pace(struct crawl_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_HOST);
	ok(gap.us >= DELAY_MS * 1000,
	    "P1, P2: no host is asked twice within its delay (%.1f ms, %.*s)",
	    (double)gap.us / 1000, PV_STR_ARG(gap.first.host));
	log_view_finish(&view);
}

static inline void hostile_judge_program(
    struct crawl_scene *scene, const struct misdeeds *misdeeds)
{
	size_t memory_max =
	    misdeeds->memory_max ? misdeeds->memory_max : MEMORY_MAX;
	ok(scene->end.memory_bytes < memory_allowed(memory_max),
	    "P5: it needs less than %zu MiB (%zu)", memory_max >> 20,
	    scene->end.memory_bytes >> 20);
	crawl_scene_judge_turns(scene);
	ok(crawl_scene_lines(scene, "\"final\":true", NULL) ==
		misdeeds->count + INNOCENT_PAGES + misdeeds->more,
	    "P3: each address has one last line in the journal (%zu)",
	    crawl_scene_lines(scene, "\"final\":true", NULL));
	ok(crawl_scene_status(scene, "\"pending\":") == 0 &&
		crawl_scene_status(scene, "\"known\":") ==
		    crawl_scene_status(scene, "\"done\":") +
			crawl_scene_status(scene, "\"refused\":"),
	    "and the counts say so");
}

/* Whether the address has one last line, and one of that outcome. */
static inline bool hostile_ends_as(struct crawl_scene *scene,
    const struct misdeed *misdeed, const char *address, const char *outcome)
{
	char word[80];
	snprintf(word, sizeof(word), "\"outcome\":\"%s\"", outcome);
	return crawl_scene_lines(scene, address, "\"final\":true", NULL) == 1 &&
	       crawl_scene_lines(scene, address, "\"final\":true", word,
		   misdeed->line ? misdeed->line : "", NULL) == 1;
}

static inline void hostile_judge_end(struct crawl_scene *scene,
    const struct misdeed *misdeed, const char *address)
{
	bool is_right =
	    hostile_ends_as(scene, misdeed, address, misdeed->outcome) ||
	    (misdeed->or_outcome &&
		hostile_ends_as(scene, misdeed, address, misdeed->or_outcome));
	if (!ok(is_right, "%s: it ends once, as %s", misdeed->host,
		misdeed->outcome))
		crawl_scene_show_lines(scene, address);
}

static inline void hostile_judge_requests(
    struct crawl_scene *scene, const struct misdeed *misdeed)
{
	char host[80];
	unsigned requests = misdeed->requests == NO_REQUESTS ? 0
			    : misdeed->requests              ? misdeed->requests
							     : 1;
	struct log_view view = log_view_of(scene->server);
	snprintf(host, sizeof(host), "%s.test", misdeed->host);
	size_t asked = log_count(&view, host, "/");
	ok(asked == requests, "%s: it is asked %u times (%zu)", misdeed->host,
	    requests, asked);
	log_view_finish(&view);
}

static inline void hostile_judge_file(struct crawl_scene *scene,
    const struct misdeed *misdeed, const char *address)
{
	char pattern[96];
	snprintf(pattern, sizeof(pattern), "o/site/%s.test*", misdeed->host);
	bool has_file =
	    crawl_scene_lines(scene, address, "\"file\":", NULL) != 0;
	ok(has_file == misdeed->is_kept &&
		crawl_scene_has(scene, pattern) == misdeed->is_kept,
	    "%s: %s is kept of it", misdeed->host,
	    misdeed->is_kept ? "a page" : "nothing");
}

static inline void hostile_judge(
    struct crawl_scene *scene, const struct misdeed *misdeed)
{
	struct pv_buf address;
	pv_buf_init(&address, 1024);
	pv_buf_append_text(&address, "\"url\":\"");
	hostile_write_url(scene, misdeed, &address);
	pv_buf_append_char(&address, '"');
	hostile_judge_end(scene, misdeed, pv_buf_text(&address));
	hostile_judge_requests(scene, misdeed);
	hostile_judge_file(scene, misdeed, pv_buf_text(&address));
	pv_buf_finish(&address);
}

static inline void hostile_judge_all(
    struct crawl_scene *scene, const struct misdeeds *misdeeds)
{
	hostile_judge_innocent_of(scene, !misdeeds->is_work);
	hostile_judge_pace(scene);
	hostile_judge_program(scene, misdeeds);
	for (size_t i = 0; i < misdeeds->count; i++)
		hostile_judge(scene, &misdeeds->items[i]);
}

/* Crawls, and judges it. The scene may be looked at further; it is to be
 * closed, and the routes are to be freed. */
struct hostile_run {
	struct crawl_scene scene;
	struct server_route *routes;
};

static inline bool hostile_open(
    struct hostile_run *run, const struct misdeeds *misdeeds)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = misdeeds->plan;
	run->routes = hostile_routes(misdeeds);
	plan.addresses = everywhere;
	plan.routes = run->routes;
	plan.route_count = misdeeds->count + misdeeds->route_count;
	plan.answer = site_answer;
	plan.ctx = &innocent;
	if (!ok(crawl_scene_open(&run->scene, &plan), "the hosts are there"))
		return false;
	hostile_write_policy(&run->scene, misdeeds);
	int status = crawl_scene_run(&run->scene, HANG_MS);
	if (ok(status == misdeeds->status, "the crawl ends, with %d (%d)",
		misdeeds->status, status))
		return true;
	crawl_scene_show(&run->scene);
	return status >= 0;
}

static inline void hostile_close(
    struct hostile_run *run, const struct misdeeds *misdeeds)
{
	crawl_scene_close(&run->scene);
	hostile_routes_free(run->routes, misdeeds);
}

static inline void hostile_try(const struct misdeeds *misdeeds)
{
	struct hostile_run run;
	if (hostile_open(&run, misdeeds))
		hostile_judge_all(&run.scene, misdeeds);
	hostile_close(&run, misdeeds);
}

#endif
