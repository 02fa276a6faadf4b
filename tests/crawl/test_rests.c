#include "crawl/scene.h"
#include "server/name_server.h"
#include "store/database.h"
#include "together.h"

/* What fails rests, and nobody else does for it (P1, P2, P3). */

#define HEAD                                                             \
	"version: 1\n"                                                   \
	"politeness: {delay: 50ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0, backoff: {failure: 100ms, overload: 100ms, "       \
	"factor: 2}}\noutput: {}\n"

static bool open_scene(struct crawl_scene *scene,
    const struct server_route *routes, size_t count, const char *policy)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {
	    .addresses = everywhere, .routes = routes, .route_count = count};
	if (!ok(crawl_scene_open(scene, &plan), "the hosts are there"))
		return false;
	crawl_scene_policy(scene, policy);
	return true;
}

/* A page that fails goes behind its host's queue. */

static const struct server_route behind_routes[] = {
    {.path = "/p2", .nth = 1, .answer = {.status = 500}},
    {.path = "/p*", .answer = {.body = "a page"}},
};

static void test_behind(void)
{
	struct crawl_scene scene;
	if (open_scene(&scene, behind_routes, 2,
		HEAD "seeds: [\"http://127.0.0.1:PORT/p{1..300}\"]\n"
		     "rate: {max_rate: 1000, interval: 100ms}\n"
		     "domains: {127.0.0.1: {delay: 0, backoff: {failure: "
		     "10ms}}}\n")) {
		crawl_scene_ends(
		    &scene, 0, "a crawl of which a page fails once finishes");
		struct log_view view = log_view_of(scene.server);
		struct pv_str last = {NULL, 0};
		if (view.count)
			last = view.records[view.count - 1].target;
		ok(view.count == 302 && pv_str_equal(last, PV_STR("/p2")),
		    "what failed is asked for again behind all else (%.*s)",
		    PV_STR_ARG(last));
		log_view_finish(&view);
	}
	crawl_scene_close(&scene);
}

/* Many hosts that need no rest learn that they do. Each was asked in another
 * part of a millisecond. */

static const struct server_route learning_routes[] = {
    {.path = "/robots.txt",
	.answer = {.type = "text/plain",
	    .body = "User-agent: *\nCrawl-delay: 0.05\n"}},
    {.path = "/*", .answer = {.body = "a page"}},
};

static void test_learning(void)
{
	struct crawl_scene scene;
	if (open_scene(&scene, learning_routes, 2,
		"version: 1\nrate: {max_rate: 50, interval: 10ms, "
		"concurrency: 200}\n"
		"politeness: {shared_clocks: false, delay: 0, "
		"delay_from: start, delay_factor: 0, ip_delay: 0}\noutput: {}\n"
		"seeds: [\"http://127.0.0.{1..250}:PORT/{a,b}\"]\n")) {
		crawl_scene_ends(&scene, 0, "a crawl of many hosts finishes");
		struct log_view view = log_view_of(scene.server);
		struct log_gap gap = log_shortest_gap(&view, LOG_BY_HOST);
		ok(view.count == 750 && gap.us >= 50000,
		    "P1: a Crawl-delay is kept from the very robots.txt on "
		    "(%zu requests, %lld us)",
		    view.count, (long long)gap.us);
		log_view_finish(&view);
	}
	crawl_scene_close(&scene);
}

/* Names that do not exist */

static int run(struct crawl_scene *scene, const char *url)
{
	const char *const arguments[] = {
	    "crawl", "policy.yaml", url, "-o", "o", "-q", NULL};
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	return crawl_scene_wait(scene, HANG_MS);
}

static void pass_an_hour(struct crawl_scene *scene)
{
	struct pv_database *database =
	    pv_database_open(home_file(&scene->home, "o/state.db"));
	pv_database_run(database,
	    "UPDATE host_states SET nameless_until_wall_ms = "
	    "nameless_until_wall_ms - 3600000");
	pv_database_close(database);
}

static void judge_nameless(struct crawl_scene *scene, struct name_server *names)
{
	ok(run(scene, "http://gone.test:1/b") == 5,
	    "a host whose name does not exist ends");
	unsigned asked = name_server_asked(names, NULL);
	ok(asked > 0, "its name is asked for");
	ok(run(scene, "http://gone.test:1/c") == 5 &&
		name_server_asked(names, NULL) == asked,
	    "and not again within an hour, by whichever run");
	ok(crawl_scene_lines(scene, "gone.test", "\"outcome\":\"no-name\"",
	       "\"final\":true", NULL) == 3,
	    "P3: each of its pages has that end");
	pass_an_hour(scene);
	ok(run(scene, "http://gone.test:1/d") == 5 &&
		name_server_asked(names, NULL) > asked,
	    "but after it");
}

static void test_nameless(void)
{
	struct crawl_scene scene;
	struct name_server *names = name_server_start();
	struct pv_buf policy;
	pv_buf_init(&policy, 4096);
	pv_buf_append_format(&policy,
	    HEAD "identity: {contact: \"https://example.org/bot\"}\n"
		 "seeds: [\"http://gone.test:1/a\"]\n"
		 "fetch: {name_servers: [\"%s\"]}\n",
	    name_server_address(names));
	if (open_scene(&scene, NULL, 0, pv_buf_text(&policy)))
		judge_nameless(&scene, names);
	crawl_scene_close(&scene);
	pv_buf_finish(&policy);
	name_server_stop(names);
}

/* All that is left must wait too long */

static const struct server_route late_routes[] = {
    {.host = "late.test",
	.path = "/",
	.answer = {.status = 503, .headers = "Retry-After: 7200\r\n"}},
    {.host = "later.test",
	.path = "/",
	.answer = {.status = 503, .headers = "Retry-After: 36000\r\n"}},
};

static void test_limit(void)
{
	static const char *const arguments[] = {"status", "o", NULL};
	struct crawl_scene scene;
	struct program_end end;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 16);
	if (open_scene(&scene, late_routes, 2,
		HEAD "seeds: [\"http://{late,later}.test:PORT/\"]\n"
		     "fetch: {resolve: {late.test: \"127.72.0.1\", "
		     "later.test: \"127.72.0.2\"}}\n")) {
		crawl_scene_ends(&scene, 4,
		    "where all hosts ask for longer than limits.wait, the "
		    "crawl stops");
		program_run(&scene.home, arguments, &said, &end);
		const char *at = strstr(pv_buf_text(&said), "late.test waits");
		ok(at && strstr(at, "Retry-After") && strstr(at, "1 more"),
		    "P4: and says for whom, and why");
		ok(crawl_scene_status(&scene, "\"pending\":") == 2,
		    "P3: nothing of it is lost");
	}
	crawl_scene_close(&scene);
	pv_buf_finish(&said);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_behind());
	together(&all, test_learning());
	together(&all, test_nameless());
	together(&all, test_limit());
	together_end(&all);
	return tap_done();
}
