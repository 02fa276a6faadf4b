#include "crawl/patience.h"
#include "crawl/scene.h"

/* Nobody is forgotten on the wire either (P3, P6): what test_liveness claims
 * with simulated time, once with 3,000 hosts that have sockets. */

#define HOSTS 3000
#define DELAY_MS 1000
#define SLACK_MS 100 /* for a machine that has other work */

/* Of each host: its root leads to more than is asked for at a time where there
 * are so many, and one of these pages to another. */
static const struct server_route routes[] = {
    {.path = "/",
	.answer = {.body = "<a href=/1><a href=/2><a href=/3><a href=/4>"
			   "<a href=/5><a href=/6><a href=/7><a href=/8>"
			   "<a href=/9><a href=/10><a href=/11><a href=/12>"
			   "<a href=/13>"}},
    {.path = "/1", .answer = {.body = "<a href=/last>"}},
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/*", .answer = {.body = "a page"}},
};

#define PAGES 15
#define REQUESTS (PAGES + 1) /* robots.txt as well */

static const char policy[] =
    "version: 1\n"
    "seeds: [\"http://127.78.{0..11}.{1..250}:PORT/\"]\n"
    "rate: {max_rate: 100000, interval: 1s, concurrency: 500}\n"
    "politeness: {delay: 1s, delay_factor: 0, ip_delay: 0}\n"
    "output: {}\n";

static int by_host_and_time(const void *left, const void *right)
{
	const struct server_record *a = left, *b = right;
	int order = pv_str_compare(a->host, b->host);
	if (order)
		return order;
	return a->begin_us < b->begin_us ? -1 : a->begin_us > b->begin_us;
}

/* The longest that a host waited for its next request. */
static int64_t longest_gap_ms(struct log_view *view)
{
	int64_t longest_us = 0;
	qsort(view->records, view->count, sizeof(*view->records),
	    by_host_and_time);
	for (size_t i = 1; i < view->count; i++) {
		const struct server_record *before = &view->records[i - 1];
		const struct server_record *record = before + 1;
		int64_t gap_us = record->begin_us - before->begin_us;
		if (pv_str_equal(before->host, record->host) &&
		    gap_us > longest_us)
			longest_us = gap_us;
	}
	return longest_us / 1000;
}

/* How many of these targets each host was asked for. */
static size_t count_asked(struct log_view *view)
{
	size_t count = log_count(view, NULL, "/robots.txt") == HOSTS;
	count += log_count(view, NULL, "/") == HOSTS;
	count += log_count(view, NULL, "/last") == HOSTS;
	for (unsigned i = 1; i <= PAGES - 2; i++) {
		char target[16];
		snprintf(target, sizeof(target), "/%u", i);
		count += log_count(view, NULL, target) == HOSTS;
	}
	return count;
}

static void judge(struct crawl_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	int64_t took_ms =
	    (view.records[view.count - 1].begin_us - view.records[0].begin_us) /
	    1000;
	struct log_gap rest = log_shortest_rest(&view, LOG_BY_HOST);
	ok(view.is_whole && view.count == (size_t)HOSTS * REQUESTS &&
		log_key_count(&view, LOG_BY_HOST) == HOSTS &&
		count_asked(&view) == REQUESTS,
	    "each of 3,000 hosts is asked for all that it has, once (%zu "
	    "requests)",
	    view.count);
	ok(rest.us >= DELAY_MS * 1000,
	    "P1: none sooner than its pace allows (%.3f ms)",
	    (double)rest.us / 1000);
	ok((double)took_ms < REQUESTS * (DELAY_MS + SLACK_MS * patience()),
	    "in about the time that its pace takes (%lld of %d ms)",
	    (long long)took_ms, (REQUESTS - 1) * DELAY_MS);
	int64_t gap_ms = longest_gap_ms(&view);
	ok((double)gap_ms <= 2 * DELAY_MS + SLACK_MS * patience(),
	    "each within twice its turn (%lld ms)", (long long)gap_ms);
	log_view_finish(&view);
}

int main(void)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {
	    .addresses = everywhere,
	    .routes = routes,
	    .route_count = sizeof(routes) / sizeof(*routes),
	};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "3,000 hosts are there"))
		return tap_done();
	crawl_scene_policy(&scene, policy);
	if (crawl_scene_ends(&scene, 0, "a crawl of them comes to its end"))
		judge(&scene);
	crawl_scene_close(&scene);
	return tap_done();
}
