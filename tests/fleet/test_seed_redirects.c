#include "crawl/patience.h"
#include "fleet/scene/claims.h"

/* A seed is redirected to another host, which is in scope by that. Only the worker
 * that asks for the seed sees it, and late; pages of that host are found by all
 * others, and by some before. */

#define SEEDS 9       /* 127.0.1.1 to 127.0.1.9, of which the first moves ... */
#define MOVED_MS 2500 /* ... and says so after that time */
#define PAGES 10      /* of the host that each seed links to */

static const char policy[] =
    "version: 1\n"
    "name: scene\n"
    "seeds: [\"http://127.0.1.1:PORT/\", \"http://127.0.1.2:PORT/\", "
    "\"http://127.0.1.3:PORT/\", \"http://127.0.1.4:PORT/\", "
    "\"http://127.0.1.5:PORT/\", \"http://127.0.1.6:PORT/\", "
    "\"http://127.0.1.7:PORT/\", \"http://127.0.1.8:PORT/\", "
    "\"http://127.0.1.9:PORT/\"]\n"
    "scope: {sitemaps: false, hosts: same}\n"
    "rate: {max_rate: 100000, interval: 1s, concurrency: 40}\n"
    "politeness: {delay: 20ms, delay_factor: 0, ip_delay: 0}\n"
    "stop: {drain_timeout: 2s}\n"
    "fetch: {private: all}\n"
    "output: {}\n";

static void link_to(const struct server_request *request, unsigned net,
    unsigned seed, unsigned page, struct pv_buf *body)
{
	struct pv_str own = server_header(request->headers, "host");
	struct pv_str port = pv_str_from(own, pv_str_find(own, ':'));
	pv_buf_append_format(body,
	    "<a href=\"http://127.0.%u.1%.*s/%u-%u\">page</a>\n", net,
	    PV_STR_ARG(port), seed, page);
}

/* Each seed links to pages of the host that the first has moved to, of which
 * nothing else knows, and to one of a host that is out of scope. */
static void answer_seed(const struct server_request *request, unsigned seed,
    struct server_answer *answer)
{
	if (seed == 1) {
		answer->status = 301;
		answer->location = "http://127.0.2.1:{port}/";
		answer->head_pace.delay_ms = MOVED_MS;
		return;
	}
	for (unsigned i = 0; i < PAGES; i++)
		link_to(request, 2, seed, i, answer->own_body);
	link_to(request, 3, seed, 0, answer->own_body);
}

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	static const struct pv_str seeds = PV_STR("127.0.1.");
	(void)ctx;
	answer->head_pace.delay_ms = 20;
	if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		return false;
	if (pv_str_starts(request->host, seeds))
		answer_seed(request,
		    (unsigned)(request->host.ptr[seeds.len] - '0'), answer);
	else
		answer->body = "a page";
	return true;
}

static size_t count_pages(struct fleet_scene *scene, const char *host)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, host, "/*-*");
	size_t count = 0;
	for (size_t i = 0; i < view.count; i++)
		count += view.records[i].nth == 1;
	log_view_finish(&view);
	return count;
}

static void is_all_fetched(struct fleet_scene *scene)
{
	size_t pages = count_pages(scene, "127.0.2.1");
	bool is_good = ok(pages == (SEEDS - 1) * PAGES,
	    "each page of the host that a seed has moved to is asked for, "
	    "whoever has found it, and when (%zu of %d)",
	    pages, (SEEDS - 1) * PAGES);
	is_good = ok(count_pages(scene, "127.0.3.1") == 0,
		      "what nothing has put in scope is not") &&
		  is_good;
	if (!is_good)
		fleet_scene_show(scene);
}

static void test_moved(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	ok(fleet_scene_ends(scene), "four workers finish the crawl");
	is_all_fetched(scene);
	ok(fleet_scene_says(scene, "are in scope now") > 0,
	    "some had been refused before");
}

/* What a worker had refused is known to others by its rows alone. */
static void test_killed(struct fleet_scene *scene)
{
	for (unsigned i = 0; i < 2; i++)
		fleet_scene_start_one(scene, i);
	server_wait(scene->server, (size_t)2 * SEEDS, HANG_MS);
	fleet_scene_rest(MOVED_MS / 2);
	fleet_scene_kill(scene, 1);
	fleet_scene_start_one(scene, 2);
	fleet_scene_rest(MOVED_MS);
	fleet_scene_start_one(scene, 1);
	ok(fleet_scene_ends(scene),
	    "of three workers one is killed, one is late, and they finish");
	is_all_fetched(scene);
}

/* And neither it nor its directory comes back. */
static void test_lost(struct fleet_scene *scene)
{
	for (unsigned i = 0; i < 2; i++)
		fleet_scene_start_one(scene, i);
	server_wait(scene->server, (size_t)2 * SEEDS, HANG_MS);
	fleet_scene_rest(MOVED_MS / 2);
	fleet_scene_kill(scene, 1);
	ok(fleet_scene_ends(scene),
	    "of two workers one is killed for good, and the other finishes");
	is_all_fetched(scene);
}

static void run(void (*test)(struct fleet_scene *scene))
{
	struct fleet_scene scene;
	if (!fleet_scene_open_with(&scene, policy, answer, NULL)) {
		ok(false, "PostgreSQL can be made to run here");
		return;
	}
	test(&scene);
	fleet_scene_close(&scene);
}

int main(int count, char **arguments)
{
	const char *absence = fleet_scene_absence();
	if (worker_is_meant(count, arguments))
		return worker_run(arguments);
	if (absence)
		return tap_skip_all(absence);
	run(test_moved);
	run(test_killed);
	run(test_lost);
	return tap_done();
}
