#include "crawl/scene.h"
#include "together.h"

/* How an address becomes a page in the end, or does not: redirects, retries,
 * depth, as the server and the journal have it. */

#define DELAY_MS 50

struct visits {
	const struct server_route *routes;
	size_t route_count;
	const char *policy; /* after the seeds and the usual lines */
	int status;
	const char *claim;
};

#define ROUTES(table) \
	.routes = (table), .route_count = sizeof(table) / sizeof(*(table))

#define MANNERS                                                          \
	"politeness: {delay: 50ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0, backoff: {failure: 200ms, overload: 300ms, "       \
	"factor: 2}}\n"                                                  \
	"output: {}\n"

static bool visit(struct crawl_scene *scene, const struct visits *visits)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {.addresses = everywhere,
	    .routes = visits->routes,
	    .route_count = visits->route_count};
	struct pv_buf text;
	if (!ok(crawl_scene_open(scene, &plan), "the hosts are there"))
		return false;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_text(&text, "version: 1\n" MANNERS);
	pv_buf_append_text(&text, visits->policy);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
	return crawl_scene_ends(scene, visits->status, visits->claim);
}

/* Milliseconds from one request for a target to the next. */
static int64_t gap_of(
    struct crawl_scene *scene, const char *target, size_t number)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, NULL, target);
	int64_t gap_us = number + 1 < view.count
			     ? view.records[number + 1].begin_us -
				   view.records[number].begin_us
			     : -1;
	log_view_finish(&view);
	return gap_us / 1000;
}

static size_t asked(struct crawl_scene *scene, const char *target)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = log_count(&view, NULL, target);
	log_view_finish(&view);
	return count;
}

/* Redirects */

static const struct server_route redirect_routes[] = {
    {.host = "a.test",
	.path = "/",
	.answer = {.status = 301, .location = "/start"}},
    {.host = "a.test",
	.path = "/start",
	.answer = {.body = "<a href=/one></a><a href=/two></a>"
			   "<a href=/away></a><a href=/late></a>"}},
    {.path = "/one", .answer = {.status = 302, .location = "/page"}},
    {.path = "/two", .answer = {.status = 308, .location = "/page#there"}},
    {.path = "/page", .answer = {.body = "<a href=/deeper></a>"}},
    {.path = "/away",
	.answer = {.status = 302, .location = "http://b.test:{port}/"}},
    {.path = "/late",
	.answer = {.status = 302,
	    .headers = "Retry-After: 1\r\n",
	    .location = "/later"}},
    {.path = "/later", .answer = {.body = "later"}},
    {.path = "/deeper", .answer = {.body = "deeper"}},
    {.host = "b.test", .path = "/", .answer = {.body = "off scope"}},
};

static const struct address_end redirect_ends[] = {
    {"http://a.test:PORT/", "\"status\":301,\"depth\":0"},
    {"http://a.test:PORT/start", "\"depth\":0,\"via\":\"http://a.test:"},
    {"http://a.test:PORT/one", "\"status\":302,\"depth\":1"},
    {"http://a.test:PORT/two", "\"status\":308,\"depth\":1"},
    {"http://a.test:PORT/page", "\"status\":200,\"depth\":1"},
    {"http://a.test:PORT/deeper", "\"reason\":\"depth\""},
    {"http://b.test:PORT/", "\"reason\":\"host\""},
    {"http://a.test:PORT/later", "\"status\":200,\"depth\":1"},
};

static void test_redirects(void)
{
	struct crawl_scene scene;
	struct visits visits = {ROUTES(redirect_routes),
	    .policy = "seeds: [\"http://a.test:PORT/\"]\n"
		      "scope: {depth: 1}\n"
		      "fetch: {resolve: {\"*.test\": \"127.0.0.1\"}}\n",
	    .status = 0, .claim = "a crawl with redirects finishes"};
	if (visit(&scene, &visits)) {
		JUDGE_ENDS(&scene, redirect_ends);
		ok(asked(&scene, "/page") == 1,
		    "where two redirects lead is visited once");
		struct log_view view = log_view_of(scene.server);
		struct log_gap gap = log_shortest_gap(&view, LOG_BY_HOST);
		ok(gap.us >= DELAY_MS * 1000,
		    "P1: a hop waits as any request does (%.1f ms)",
		    (double)gap.us / 1000);
		log_view_keep(&view, NULL, "/late*");
		ok(view.count == 2 &&
			view.records[1].begin_us - view.records[0].end_us >=
			    1000000,
		    "and as long as it is asked to");
		log_view_finish(&view);
	}
	crawl_scene_close(&scene);
}

/* Retries */

static const struct server_route retry_routes[] = {
    {.path = "/",
	.answer = {.body = "<a href=/once></a><a href=/always></a>"
			   "<a href=/early></a><a href=/gone></a>"
			   "<a href=/rubbish></a><a href=/asked></a>"}},
    {.path = "/once", .nth = 1, .answer = {.status = 503}},
    {.path = "/once", .answer = {.body = "there"}},
    {.path = "/always", .answer = {.status = 500}},
    {.path = "/early", .nth = 1, .answer = {.status = 425}},
    {.path = "/early", .answer = {.body = "there"}},
    {.path = "/gone", .answer = {.status = 404}},
    {.path = "/rubbish",
	.nth = 1,
	.answer = {.status = 503, .headers = "Retry-After: -5\r\n"}},
    {.path = "/rubbish", .answer = {.body = "there"}},
    {.path = "/asked",
	.nth = 1,
	.answer = {.status = 429, .headers = "Retry-After: 1\r\n"}},
    {.path = "/asked", .answer = {.body = "there"}},
};

static const struct address_end retry_ends[] = {
    {"http://127.0.0.1:PORT/once", "\"attempt\":2"},
    {"http://127.0.0.1:PORT/once", "\"status\":200"},
    {"http://127.0.0.1:PORT/always", "\"attempt\":3"},
    {"http://127.0.0.1:PORT/always", "\"status\":500"},
    {"http://127.0.0.1:PORT/early", "\"status\":200"},
    {"http://127.0.0.1:PORT/gone", "\"attempt\":1"},
    {"http://127.0.0.1:PORT/rubbish", "\"status\":200"},
    {"http://127.0.0.1:PORT/asked", "\"status\":200"},
};

static void test_retries(void)
{
	struct crawl_scene scene;
	struct visits visits = {ROUTES(retry_routes),
	    .policy = "seeds: [\"http://127.0.0.1:PORT/\"]\n"
		      "fetch: {retries: 2}\n",
	    .status = 0,
	    .claim = "a crawl of what fails now and then finishes"};
	if (visit(&scene, &visits)) {
		JUDGE_ENDS(&scene, retry_ends);
		ok(asked(&scene, "/always") == 3,
		    "what always fails is asked for as often as the policy "
		    "says (%zu)",
		    asked(&scene, "/always"));
		ok(gap_of(&scene, "/always", 0) >= 200,
		    "P2: after a failure there is a rest (%lld ms)",
		    (long long)gap_of(&scene, "/always", 0));
		ok(gap_of(&scene, "/once", 0) >= 300,
		    "P2: after 503 as well (%lld ms)",
		    (long long)gap_of(&scene, "/once", 0));
		ok(gap_of(&scene, "/asked", 0) >= 1000,
		    "and as long a one as Retry-After asks for (%lld ms)",
		    (long long)gap_of(&scene, "/asked", 0));
		ok(asked(&scene, "/gone") == 1, "404 is final");
	}
	crawl_scene_close(&scene);
}

/* What asks for longer than anybody waits holds up nobody else. */
static const struct server_route park_routes[] = {
    {.host = "good.test", .path = "/", .answer = {.body = "good"}},
    {.host = "days.test",
	.path = "/",
	.answer = {.status = 503, .headers = "Retry-After: 1000000000\r\n"}},
    {.host = "ages.test",
	.path = "/",
	.answer = {.status = 503,
	    .headers = "Retry-After: 99999999999999999999\r\n"}},
    {.host = "date.test",
	.path = "/",
	.answer = {.status = 429,
	    .headers = "Retry-After: Fri, 31 Dec 2100 23:59:59 GMT\r\n"}},
};

static void test_parking(void)
{
	struct crawl_scene scene;
	struct visits visits = {ROUTES(park_routes),
	    .policy =
		"seeds: [\"http://{good,days,ages,date}.test:PORT/\"]\n"
		"limits: {wait: 2s}\n"
		"domains: {\"*.test\": "
		"{retry_after: {give_up_over: none}}}\n"
		"fetch: {retries: 2, resolve: {good.test: \"127.69.0.1\", "
		"days.test: \"127.69.0.2\", ages.test: \"127.69.0.3\", "
		"date.test: \"127.69.0.4\"}}\n",
	    .status = 4,
	    .claim = "hosts that want years of rest end a crawl by "
		     "limits.wait"};
	if (visit(&scene, &visits)) {
		struct log_view view = log_view_of(scene.server);
		ok(log_count(&view, "good.test", "/") == 1 &&
			log_count(&view, "days.test", "/") == 1 &&
			log_count(&view, "date.test", "/") == 1,
		    "P2: each of them was asked once");
		ok(scene.end.wall_ms < HANG_MS,
		    "and nobody waited for them (%lld ms)",
		    (long long)scene.end.wall_ms);
		log_view_finish(&view);
	}
	crawl_scene_close(&scene);
}

/* Seeds with a depth and a tag of their own */

static const struct server_route seed_routes[] = {
    {.path = "/deep", .answer = {.body = "<a href=/d1></a>"}},
    {.path = "/d1", .answer = {.body = "<a href=/d2></a>"}},
    {.path = "/d2", .answer = {.body = "end"}},
    {.path = "/flat", .answer = {.body = "<a href=/f1></a><img src=/i>"}},
    {.path = "/i", .answer = {.type = "image/png", .body = "i"}},
};

static const struct address_end seed_ends[] = {
    {"http://127.0.0.1:PORT/deep", "\"tag\":\"deep\""},
    {"http://127.0.0.1:PORT/d2", "\"depth\":2"},
    {"http://127.0.0.1:PORT/d2", "\"tag\":\"deep\""},
    {"http://127.0.0.1:PORT/flat", "\"tag\":\"flat\""},
    {"http://127.0.0.1:PORT/f1", "\"reason\":\"depth\""},
    {"http://127.0.0.1:PORT/i", "\"status\":200"},
    {"http://127.0.0.1:PORT/lost", "\"status\":404"},
};

static void test_seeds(void)
{
	struct crawl_scene scene;
	struct visits visits = {ROUTES(seed_routes),
	    .policy = "seeds:\n"
		      "  - {url: \"http://127.0.0.1:PORT/deep\", tag: deep}\n"
		      "  - {url: \"http://127.0.0.1:PORT/flat\", depth: 0, "
		      "tag: flat}\n"
		      "  - \"http://127.0.0.1:PORT/lost\"\n",
	    .status = 5,
	    .claim = "a crawl of which a seed is not there ends with 5"};
	if (visit(&scene, &visits))
		JUDGE_ENDS(&scene, seed_ends);
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_redirects());
	together(&all, test_retries());
	together(&all, test_parking());
	together(&all, test_seeds());
	together_end(&all);
	return tap_done();
}
