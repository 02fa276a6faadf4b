#include "crawl/scene.h"

/* Hosts that are not asked any more: that do not want us, that ask us to wait
 * longer than the policy waits, or whose names do not exist (P1, P2, P4). */

#define MANNERS                                                          \
	"version: 1\n"                                                   \
	"politeness: {delay: 50ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0, backoff: {failure: 200ms, overload: 200ms}"
#define ENDS "output: {}\n"

struct leaving {
	const struct server_route *routes;
	size_t route_count;
	const char *policy;
};

#define ROUTES(table) \
	.routes = (table), .route_count = sizeof(table) / sizeof(*(table))

static bool open_scene(struct crawl_scene *scene, const struct leaving *leaving)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {.addresses = everywhere,
	    .routes = leaving->routes,
	    .route_count = leaving->route_count};
	if (!ok(crawl_scene_open(scene, &plan), "the hosts are there"))
		return false;
	crawl_scene_policy(scene, leaving->policy);
	return true;
}

static size_t asked(
    struct crawl_scene *scene, const char *host, const char *target)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = log_count(&view, host, target);
	log_view_finish(&view);
	return count;
}

/* Retry-After beyond what the policy waits for */

static const struct server_route later_routes[] = {
    {.host = "days.test",
	.path = "/p*",
	.answer = {.status = 503, .headers = "Retry-After: 200000\r\n"}},
    {.host = "soon.test",
	.path = "/p1",
	.nth = 1,
	.answer = {.status = 429, .headers = "Retry-After: 1\r\n"}},
    {.path = "/p*", .answer = {.body = "a page"}},
};

static void test_retry_after(void)
{
	struct crawl_scene scene;
	struct leaving leaving = {ROUTES(later_routes),
	    .policy =
		MANNERS ", retry_after: {give_up_over: 1h}}\n" ENDS
			"seeds: [\"http://{days,soon}.test:PORT/p{1..3}\"]"
			"\nfetch: {retries: 0, resolve: {days.test: "
			"\"127.71.0.1\", soon.test: \"127.71.0.2\"}}\n"};
	if (open_scene(&scene, &leaving)) {
		crawl_scene_ends(&scene, 5,
		    "a host that asks for longer than give_up_over ends as "
		    "one that was left");
		ok(asked(&scene, "days.test", "/p*") == 1,
		    "P1: it is not asked for anything more");
		ok(crawl_scene_lines(&scene, "days.test",
		       "\"reason\":\"retry-after\"", "\"final\":true",
		       NULL) == 3,
		    "P4: each of its pages ends with that reason");
		ok(asked(&scene, "soon.test", "/p*") == 4,
		    "one that asks for less is waited for");
		ok(crawl_scene_lines(&scene, "soon.test", "\"status\":200",
		       "\"final\":true", NULL) == 3,
		    "and to wait costs no retry, of which there are none");
		int status = crawl_scene_run(&scene, HANG_MS);
		ok(status == 5 && asked(&scene, "days.test", "/p*") == 1,
		    "P1: another run remembers (%d)", status);
	}
	crawl_scene_close(&scene);
}

/* A page that puts us off for ever is not asked for ever. */
static const struct server_route never_routes[] = {
    {.path = "/p1", .answer = {.status = 503, .headers = "Retry-After: 0\r\n"}},
};

static void test_put_off_for_ever(void)
{
	struct crawl_scene scene;
	struct leaving leaving = {ROUTES(never_routes),
	    .policy = "version: 1\npoliteness: {delay: 10ms, delay_from: "
		      "start, delay_factor: 0, ip_delay: 0, max_delay: 20ms, "
		      "backoff: {failure: 10ms, overload: 10ms, factor: 1}}\n"
		      "seeds: [\"http://127.0.0.1:PORT/p1\"]\n"
		      "fetch: {retries: 1}\n" ENDS};
	if (open_scene(&scene, &leaving)) {
		crawl_scene_ends(
		    &scene, 5, "a page that is busy for ever comes to an end");
		ok(asked(&scene, NULL, "/p1") == 12,
		    "after ten times and its retries (%zu)",
		    asked(&scene, NULL, "/p1"));
	}
	crawl_scene_close(&scene);
}

/* Refusals in a row */

static const struct server_route blocked_routes[] = {
    {.host = "no.test",
	.path = "/robots.txt",
	.answer = {.type = "text/plain", .body = "User-agent: x\n"}},
    {.host = "no.test", .path = "/5", .answer = {.body = "a page"}},
    {.host = "no.test", .path = "/*", .answer = {.status = 403}},
    {.host = "open.test", .path = "/*", .answer = {.status = 451}},
    {.host = "mixed.test", .path = "/*a", .answer = {.body = "a page"}},
    {.host = "mixed.test", .path = "/*", .answer = {.status = 401}},
};

/* How many requests for pages of a host came until so many in a row were
 * refused; 0 if that never was, or if more came then. Which of them is asked for
 * first depends on which waits for robots.txt. */
static size_t asked_until_refused(
    struct crawl_scene *scene, const char *host, unsigned times)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = 0, end = 0;
	unsigned refused = 0;
	log_view_keep(&view, host, NULL);
	for (size_t i = 0; i < view.count; i++) {
		const struct server_record *record = &view.records[i];
		if (pv_str_equal(record->target, PV_STR("/robots.txt")))
			continue;
		count++;
		refused = record->status == 403 ? refused + 1 : 0;
		if (refused == times)
			end = count;
	}
	log_view_finish(&view);
	return end == count ? count : 0;
}

static void judge_blocked(struct crawl_scene *scene)
{
	size_t pages = asked_until_refused(scene, "no.test", 5);
	ok(asked(scene, "no.test", "/robots.txt") == 2,
	    "its robots.txt is read once more");
	ok(pages >= 6 && asked(scene, "no.test", "/5") == 1,
	    "after so many refusals in a row it is left (%zu)", pages);
	ok(crawl_scene_lines(scene, "no.test", "\"reason\":\"blocked\"",
	       "\"final\":true", NULL) == 20 - pages,
	    "P4: what was left of it ends with that reason");
	ok(asked(scene, "open.test", "/robots.txt") == 0 &&
		asked(scene, "open.test", "/*") == 5,
	    "one whose robots.txt is left aside is left at once");
	ok(asked(scene, "mixed.test", "/*") == 21,
	    "refusals among pages are answers like others");
}

static void test_blocked(void)
{
	struct crawl_scene scene;
	struct leaving leaving = {ROUTES(blocked_routes),
	    .policy = MANNERS ", blocked: {after: 5}}\n" ENDS
			      "seeds: [\"http://{no,open}.test:PORT/{1..20}\","
			      " \"http://mixed.test:PORT/{1..10}{a,b}\"]\n"
			      "domains: {open.test: {robots: ignore}}\n"
			      "fetch: {resolve: {no.test: \"127.71.1.1\", "
			      "open.test: \"127.71.1.2\", "
			      "mixed.test: \"127.71.1.3\"}}\n"};
	if (open_scene(&scene, &leaving)) {
		crawl_scene_ends(
		    &scene, 5, "a crawl of hosts that do not want us ends");
		judge_blocked(&scene);
	}
	crawl_scene_close(&scene);
}

/* Crawl-delay beyond what the policy waits for, and hours that never come */

static const struct server_route delay_routes[] = {
    {.host = "slow.test",
	.path = "/robots.txt",
	.answer = {.type = "text/plain",
	    .body = "User-agent: *\nCrawl-delay: 7200\n"}},
    {.host = "odd.test",
	.path = "/robots.txt",
	.answer = {.type = "text/plain",
	    .body = "User-agent: *\nCrawl-delay: 1e99\n"}},
    {.host = "shut.test",
	.path = "/robots.txt",
	.answer = {.type = "text/plain",
	    .body = "User-agent: pavane\nVisit-time: 0600-0700\n"
		    "Disallow: /x\n"
		    "User-agent: examplebot\nVisit-time: 0800-0900\n"}},
    {.path = "/p*", .answer = {.body = "a page"}},
};

#define DELAY_POLICY(pages)                                                  \
	MANNERS ", crawl_delay: {give_up_over: 1h}}\n" ENDS                  \
		"seeds: [\"http://{slow,odd,shut}.test:PORT/p" pages "\"]\n" \
		"identity: {agent: examplebot/1.0}\n"                        \
		"fetch: {resolve: {slow.test: \"127.71.2.1\", "              \
		"odd.test: \"127.71.2.2\", shut.test: "                      \
		"\"127.71.2.3\"}}\n"

/* What is found in a later run, when it was left in another. */
static void judge_later_pages(struct crawl_scene *scene)
{
	crawl_scene_policy(scene, DELAY_POLICY("{1..3}"));
	crawl_scene_ends(scene, 5, "in another run nobody waits for it either");
	ok(asked(scene, "slow.test", "/p*") == 0 &&
		crawl_scene_lines(scene, "slow.test",
		    "\"reason\":\"crawl-delay\"", "\"final\":true", NULL) == 3,
	    "P3: it is left for as long as it asks for that delay");
	ok(asked(scene, "shut.test", "/p*") == 0 &&
		crawl_scene_lines(scene, "shut.test", "\"reason\":\"robots\"",
		    "\"final\":true", NULL) == 3,
	    "and as long as no hour is open");
}

static void test_robots_wishes(void)
{
	struct crawl_scene scene;
	struct leaving leaving = {
	    ROUTES(delay_routes), .policy = DELAY_POLICY("{1..2}")};
	if (open_scene(&scene, &leaving)) {
		crawl_scene_ends(
		    &scene, 5, "a host that asks for too long a delay is left");
		ok(asked(&scene, "slow.test", "/p*") == 0 &&
			crawl_scene_lines(&scene, "slow.test",
			    "\"reason\":\"crawl-delay\"", "\"final\":true",
			    NULL) == 2,
		    "P4: its pages end with that reason");
		ok(asked(&scene, "odd.test", "/p*") == 2 &&
			crawl_scene_lines(&scene, "odd.test",
			    "has no valid delay", NULL) == 1,
		    "nonsense asks for nothing, with a note in the journal");
		ok(asked(&scene, "shut.test", "/p*") == 0 &&
			crawl_scene_lines(&scene, "shut.test",
			    "\"reason\":\"robots\"", "\"final\":true",
			    NULL) == 2,
		    "P1: of hours that never come together none is taken");
		judge_later_pages(&scene);
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	test_retry_after();
	test_put_off_for_ever();
	test_blocked();
	test_robots_wishes();
	return tap_done();
}
