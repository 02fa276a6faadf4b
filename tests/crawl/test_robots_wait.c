#include "crawl/robots_scene.h"
#include "together.h"

/* A robots.txt that cannot be had forbids everything, for as long as it cannot
 * be had (RFC 9309, 2.3.1.4; hostile.md, 64). */

#define ROBOTS(name) .host = (name), .path = "/robots.txt"
#define RULES                                                                 \
	{                                                                     \
		.type = "text/plain", .body = "User-agent: *\nDisallow: /b\n" \
	}

/* The first ones are at the doors' addresses. */
static const char *const hosts[] = {"drops.test", "fails.test", "busy.test",
    "many.test", "cut.test", "file.test", "inside.test", "nowhere.test",
    "coded.test", NULL};

static const struct server_door doors[] = {
    {.address = "127.68.0.1", .kind = SERVER_DOOR_RESETS, .times = 1},
};

static const struct server_route routes[] = {
    {ROBOTS("fails.test"), .nth = 1, .answer = {.status = 500}},
    {ROBOTS("busy.test"), .nth = 1,
	.answer = {.status = 503, .headers = "Retry-After: 1\r\n"}},
    {ROBOTS("many.test"), .nth = 1, .answer = {.status = 429}},
    {ROBOTS("stalls.test"), .nth = 1,
	.answer = {.fault = {.kind = SERVER_STALL}}},
    {ROBOTS("cut.test"), .nth = 1,
	.answer = {.body = "User-agent: *\nDisallow: /a",
	    .length = "1000",
	    .closes = true}},
    {ROBOTS("file.test"), .nth = 1,
	.answer = {.status = 302, .location = "file:///etc/passwd"}},
    {ROBOTS("inside.test"), .nth = 1,
	.answer = {.status = 302, .location = "http://10.0.0.1/robots.txt"}},
    {ROBOTS("nowhere.test"), .nth = 1, .answer = {.status = 302}},
    {ROBOTS("coded.test"), .nth = 1,
	.answer = {.headers = "Content-Encoding: compress\r\n",
	    .body = "\x1f\x9d\x90\x55\xe6\x94\x01"}},
    {.path = "/robots.txt", .answer = RULES},
};

static void judge_host(
    struct crawl_scene *scene, const char *host, size_t times)
{
	bool is_dropped = strcmp(host, "drops.test") == 0;
	char url[80];
	ok(robots_come_first(scene, host, is_dropped ? 1 : times),
	    "%s: nothing is asked for before its robots.txt is had", host);
	ok(is_dropped || robots_gap_us(scene, host) >= DELAY_MS * 1000,
	    "%s: P1: and not in haste", host);
	ok(robots_asked(scene, host, "/a") == 1 &&
		robots_asked(scene, host, "/b") == 0,
	    "%s: then it is believed", host);
	snprintf(url, sizeof(url), "\"url\":\"http://%.40s:", host);
	ok(crawl_scene_lines(scene, url, "\"final\":true", NULL) == 3,
	    "%s: P3: and each of its pages has one end", host);
}

/* How long after it was asked for first a host is asked for its robots.txt
 * again. */
static int64_t wait_of(struct crawl_scene *scene, const char *host)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, host, "/robots.txt");
	int64_t wait_us =
	    view.count > 1 ? view.records[1].begin_us - view.records[0].begin_us
			   : -1;
	log_view_finish(&view);
	return wait_us / 1000;
}

static void test_recovery(void)
{
	struct crawl_scene scene;
	if (robots_open(
		&scene, &(struct robots_plan){.hosts = hosts,
			    .routes = routes,
			    .route_count = sizeof(routes) / sizeof(*routes),
			    .doors = doors,
			    .door_count = 1})) {
		crawl_scene_ends(&scene, 0,
		    "a crawl of hosts whose robots.txt could not be had at "
		    "first finishes");
		for (size_t i = 0; hosts[i]; i++)
			judge_host(&scene, hosts[i], 2);
		ok(wait_of(&scene, "fails.test") >= 400,
		    "P2: after a failure a host rests (%lld ms)",
		    (long long)wait_of(&scene, "fails.test"));
		ok(wait_of(&scene, "busy.test") >= 1000,
		    "and as long as it asks for (%lld ms)",
		    (long long)wait_of(&scene, "busy.test"));
	}
	crawl_scene_close(&scene);
}

/* Whoever stalls is only known by the time that it takes, which on a busy machine
 * may be too long for the next answer, too. */
static void test_stalling(void)
{
	static const char *const one[] = {"stalls.test", NULL};
	struct crawl_scene scene;
	if (robots_open(
		&scene, &(struct robots_plan){.hosts = one,
			    .routes = routes,
			    .route_count = sizeof(routes) / sizeof(*routes),
			    .timeout_ms = 1500})) {
		crawl_scene_ends(
		    &scene, 0, "so does one of a host that stalls");
		size_t times =
		    robots_asked(&scene, "stalls.test", "/robots.txt");
		judge_host(&scene, "stalls.test", times > 2 ? times : 2);
	}
	crawl_scene_close(&scene);
}

/* Where all that is left must wait too long, the crawl stops and can go on. The
 * other host is done by the time of the second failure, or soon behind it. */
static const struct server_route long_routes[] = {
    {ROBOTS("fails.test"), .nth = 1, .answer = {.status = 500}},
    {ROBOTS("fails.test"), .nth = 2,
	.answer = {.status = 500, .head_pace = {.delay_ms = 1500}}},
    {.path = "/robots.txt", .answer = RULES},
};

static void run_on(struct crawl_scene *scene)
{
	static const char *const arguments[] = {"crawl", "policy.yaml", "-o",
	    "o", "-q", "--set", "limits.wait=10s", NULL};
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	int status = crawl_scene_wait(scene, HANG_MS);
	ok(status == 0, "it goes on, and finishes once it can be had (%d)",
	    status);
}

static void judge_stop(struct crawl_scene *scene)
{
	ok(robots_asked(scene, "fails.test", "/robots.txt") == 2 &&
		robots_asked(scene, "fails.test", "/*") == 2,
	    "of the host whose robots.txt fails nothing else is asked for");
	ok(robots_asked(scene, "good.test", "/a") == 1, "the others are done");
	ok(crawl_scene_status(scene, "\"pending\":") == 1 &&
		crawl_scene_lines(
		    scene, "fails.test", "\"final\":true", NULL) == 0,
	    "P3: and what waits has no end yet");
}

static void test_waiting(void)
{
	static const char *const two[] = {"fails.test", "good.test", NULL};
	struct crawl_scene scene;
	if (robots_open(&scene,
		&(struct robots_plan){.hosts = two,
		    .routes = long_routes,
		    .route_count = sizeof(long_routes) / sizeof(*long_routes),
		    .policy = "limits: {wait: 1s}\n"})) {
		crawl_scene_ends(&scene, 4,
		    "where all pending addresses must wait longer than "
		    "limits.wait, the crawl stops with 4");
		judge_stop(&scene);
		run_on(&scene);
		ok(robots_come_first(&scene, "fails.test", 3) &&
			robots_asked(&scene, "fails.test", "/a") == 1,
		    "and asks for its pages then");
		struct log_view view = log_view_of(scene.server);
		log_view_keep(&view, "fails.test", "/robots.txt");
		int64_t waited_ms = (view.records[view.count - 1].begin_us -
					view.records[1].begin_us) /
				    1000;
		ok(waited_ms >= 2000,
		    "P2, P3: the rest after failures outlives the end of the "
		    "process (%lld ms)",
		    (long long)waited_ms);
		log_view_finish(&view);
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_recovery());
	together(&all, test_stalling());
	together(&all, test_waiting());
	together_end(&all);
	return tap_done();
}
