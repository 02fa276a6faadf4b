#include "crawl/scene.h"

/* Nobody is forgotten on the wire either (P3, P6): what test_liveness claims
 * with simulated time, once with 3,000 hosts that have sockets. How long a turn
 * takes then is the machine's; that each host has one, in order, is not. A busy
 * machine drops a few of so many connections, which are tried again after a
 * second or three. */

#define HOSTS 3000
#define DELAY_MS 1000

/* Of each host: its root leads to more than is asked for at a time where there
 * are so many, and one of these pages to another. */
static const struct server_route routes[] = {
    {.path = "/",
	.answer = {.body = "<a href=/1><a href=/2><a href=/3><a href=/4>"
			   "<a href=/5><a href=/6>"}},
    {.path = "/1", .answer = {.body = "<a href=/last>"}},
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/*", .answer = {.body = "a page"}},
};

#define PAGES 8
#define REQUESTS (PAGES + 1) /* robots.txt as well */

static const char policy[] =
    "version: 1\n"
    "seeds: [\"http://127.78.{0..11}.{1..250}:PORT/\"]\n"
    "rate: {max_rate: 100000, interval: 1s, concurrency: 500}\n"
    "politeness: {delay: 1s, delay_factor: 0, ip_delay: 0}\n"
    "output: {}\n";

/* The place of a request among all of them, by when they began. */
struct place {
	struct pv_str host;
	size_t number;
};

static int by_host(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = pv_str_compare(a->host, b->host);
	if (order)
		return order;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* How often more than two of each host began between one request to a host and
 * its next. */
static size_t count_late(const struct log_view *view)
{
	struct place *places = calloc(view->count, sizeof(*places));
	size_t late = 0;
	for (size_t i = 0; i < view->count; i++)
		places[i] = (struct place){view->records[i].host, i};
	qsort(places, view->count, sizeof(*places), by_host);
	for (size_t i = 1; i < view->count; i++) {
		size_t between = places[i].number - places[i - 1].number;
		late += pv_str_equal(places[i].host, places[i - 1].host) &&
			between > (size_t)2 * HOSTS;
	}
	free(places);
	return late;
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
	size_t late = count_late(&view);
	ok(late <= HOSTS / 100,
	    "and each in its turn: between two of its own no more come than "
	    "two of every host, but for a few that connect late (%zu)",
	    late);
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
