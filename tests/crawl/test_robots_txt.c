#include "crawl/robots_scene.h"

/* What a crawl makes of robots.txt, as the servers see it (P1; hostile.md, B5;
 * RFC 9309). */

#define PLAIN(text)                                  \
	{                                            \
		.type = "text/plain", .body = (text) \
	}
#define EARLY "User-agent: *\nDisallow: /a\n"
#define LATE "\nDisallow: /b\n"
#define LIMIT (500 * 1024)

static char long_file[LIMIT + 4096];

static const char *const hosts[] = {"rules.test", "none.test", "gone.test",
    "login.test", "secret.test", "page.test", "group.test", "marks.test",
    "crs.test", "slow.test", "here.test", "there.test", "other.test",
    "five.test", "six.test", "long.test", "endless.test", "bomb.test",
    "ring.test", "escape.test", "html.test", "others.test", NULL};

static const struct server_route routes[] = {
    {.host = "rules.test",
	.path = "/robots.txt",
	.answer = PLAIN("User-agent: *\n\nDisallow: /b\n")},
    {.host = "none.test", .path = "/robots.txt", .answer = {.status = 404}},
    {.host = "gone.test", .path = "/robots.txt", .answer = {.status = 410}},
    {.host = "login.test", .path = "/robots.txt", .answer = {.status = 401}},
    {.host = "secret.test", .path = "/robots.txt", .answer = {.status = 403}},
    {.host = "page.test",
	.path = "/robots.txt",
	.answer = {.body = "<html><p>Disallow: /</p></html>"}},
    {.host = "group.test",
	.path = "/robots.txt",
	.answer = PLAIN("User-agent: *\nDisallow: /\n"
			"User-agent: pavane\nDisallow: /b\n"
			"User-agent: pavanes\nDisallow: /a\n")},
    {.host = "marks.test",
	.path = "/robots.txt",
	.answer = PLAIN("\xef\xbb\xbfUser-agent: *\nDisallow: /b")},
    {.host = "crs.test",
	.path = "/robots.txt",
	.answer = PLAIN("User-agent: *\rDisallow: /b\r")},
    {.host = "slow.test",
	.path = "/robots.txt",
	.answer = PLAIN("User-agent: *\nCrawl-delay: 0.6\n")},
    /* 70 */
    {.host = "here.test",
	.path = "/robots.txt",
	.answer = {.status = 301, .location = "/moved"}},
    {.host = "here.test",
	.path = "/moved",
	.answer = PLAIN("User-agent: *\nDisallow: /b\n")},
    {.host = "there.test",
	.path = "/robots.txt",
	.answer = {.status = 302, .location = "http://other.test:{port}/for"}},
    {.host = "other.test",
	.path = "/for",
	.answer = PLAIN("User-agent: *\nDisallow: /b\n")},
    {.host = "other.test",
	.path = "/robots.txt",
	.answer = PLAIN("User-agent: *\nDisallow: /a\n")},
    {.host = "five.test",
	.path = "/robots.txt",
	.answer = {.status = 302, .location = "/hop-1"}},
    {.host = "five.test",
	.path = "/hop-5",
	.answer = PLAIN("User-agent: *\nDisallow: /b\n")},
    {.host = "six.test",
	.path = "/robots.txt",
	.answer = {.status = 302, .location = "/hop-1"}},
    {.host = "six.test",
	.path = "/hop-6",
	.answer = PLAIN("User-agent: *\nDisallow: /b\n")},
    {.path = "/hop-*", .answer = {.status = 302, .location = "/hop-{n+1}"}},
    {.host = "ring.test",
	.path = "/robots.txt",
	.answer = {.status = 302, .location = "/robots.txt"}},
    /* 65 */
    {.host = "long.test", .path = "/robots.txt", .answer = PLAIN(long_file)},
    {.host = "endless.test",
	.path = "/robots.txt",
	.answer = {.kind = SERVER_PATTERN,
	    .size = SERVER_ENDLESS,
	    .framing = SERVER_CHUNKED}},
    {.host = "bomb.test",
	.path = "/robots.txt",
	.answer = {.kind = SERVER_ZEROS,
	    .size = 100000000,
	    .coding = SERVER_GZIP}},
    {.host = "escape.test",
	.path = "/robots.txt",
	.answer = PLAIN("User-agent: *\nDisallow: /%62\nDisallow: /a$\n"
			"Allow: /a\n")},
    {.host = "html.test",
	.path = "/robots.txt",
	.answer = {.body = "<html>\nUser-agent: *\nDisallow: /b\n</html>"}},
    {.host = "others.test",
	.path = "/robots.txt",
	.answer = PLAIN("User-agent: AhrefsBot\nCrawl-delay: 3600\n"
			"User-agent: *\nDisallow: /b\n")},
};

#define DONE "\"status\":200"
#define REFUSED(number) "\"reason\":\"robots\",\"line\":" number

static const struct address_end ends[] = {
    {"http://rules.test:PORT/a", DONE},
    {"http://rules.test:PORT/b", REFUSED("3")},
    {"http://none.test:PORT/b", DONE},
    {"http://gone.test:PORT/b", DONE},
    {"http://login.test:PORT/b", DONE},
    {"http://secret.test:PORT/b", DONE},
    {"http://page.test:PORT/b", DONE},
    {"http://group.test:PORT/a", DONE},
    {"http://group.test:PORT/b", REFUSED("4")},
    {"http://marks.test:PORT/b", REFUSED("2")},
    {"http://crs.test:PORT/b", REFUSED("2")},
    {"http://slow.test:PORT/b", DONE},
    {"http://here.test:PORT/a", DONE},
    {"http://here.test:PORT/b", REFUSED("2")},
    {"http://there.test:PORT/a", DONE},
    {"http://there.test:PORT/b", REFUSED("2")},
    {"http://other.test:PORT/a", REFUSED("2")},
    {"http://other.test:PORT/b", DONE},
    {"http://five.test:PORT/b", REFUSED("2")},
    {"http://six.test:PORT/b", DONE},
    {"http://ring.test:PORT/b", DONE},
    {"http://long.test:PORT/a", REFUSED("2")},
    {"http://long.test:PORT/b", DONE},
    {"http://endless.test:PORT/b", DONE},
    {"http://escape.test:PORT/a", REFUSED("3")},
    {"http://escape.test:PORT/b", REFUSED("2")},
    {"http://html.test:PORT/a", DONE},
    {"http://html.test:PORT/b", REFUSED("3")},
    {"http://others.test:PORT/a", DONE},
    {"http://others.test:PORT/b", REFUSED("4")},
};

static void judge_requests(struct crawl_scene *scene)
{
	bool come_first = true;
	bool is_asked = false;
	for (size_t i = 0; hosts[i]; i++) {
		if (strcmp(hosts[i], "other.test") != 0 &&
		    strcmp(hosts[i], "ring.test") != 0 &&
		    !robots_come_first(scene, hosts[i], 1)) {
			come_first = false;
			printf("# not first: %s\n", hosts[i]);
		}
	}
	ok(come_first, "robots.txt is asked for once, and before all else");
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct pv_str url = pv_str_of(ends[i].url);
		char host[80];
		struct pv_str rest = pv_str_from(url, 7);
		snprintf(host, sizeof(host), "%.*s",
		    (int)pv_str_find(rest, ':'), rest.ptr);
		if (strstr(ends[i].end, "robots") &&
		    robots_asked(scene, host, ends[i].url + url.len - 2))
			is_asked = true;
	}
	ok(!is_asked, "what it forbids is never asked for");
	ok(robots_gap_us(scene, NULL) >= DELAY_MS * 1000,
	    "P1: it is a request like any other: the next one is no sooner "
	    "than the delay (%.1f ms)",
	    (double)robots_gap_us(scene, NULL) / 1000);
	ok(robots_gap_us(scene, "slow.test") >= 600000,
	    "and where it asks for more, no sooner than that (%.1f ms)",
	    (double)robots_gap_us(scene, "slow.test") / 1000);
	ok(robots_asked(scene, "other.test", "/for") == 1 &&
		robots_asked(scene, "other.test", "/*") == 4,
	    "a hop elsewhere is one of that host's requests");
	ok(robots_asked(scene, "five.test", "/hop-*") == 5 &&
		robots_asked(scene, "six.test", "/hop-*") == 5,
	    "five hops are followed, and the sixth is not");
}

/* What lies beyond the limit does not count. */
static void write_long_file(void)
{
	size_t len = sizeof(EARLY) - 1;
	memcpy(long_file, EARLY, len);
	while (len < LIMIT + 100) {
		memcpy(long_file + len, "# 34567\n", 8);
		len += 8;
	}
	memcpy(long_file + len, LATE, sizeof(LATE));
}

static void test_rules(void)
{
	struct crawl_scene scene;
	write_long_file();
	if (robots_open(
		&scene, &(struct robots_plan){.hosts = hosts,
			    .routes = routes,
			    .route_count = sizeof(routes) / sizeof(*routes)})) {
		crawl_scene_ends(&scene, 0,
		    "a crawl of hosts with all sorts "
		    "of robots.txt finishes");
		JUDGE_ENDS(&scene, ends);
		judge_requests(&scene);
	}
	crawl_scene_close(&scene);
}

/* Under another name both its own group and that of pavane must allow. */
static void test_agent(void)
{
	static const char *const mine[] = {"mine.test", NULL};
	static const struct server_route mine_routes[] = {
	    {.path = "/robots.txt",
		.answer = PLAIN("User-agent: *\nDisallow: /\n\n"
				"User-agent: examplebot\nDisallow: /a\n\n"
				"User-agent: pavane\nDisallow: /b\n")}};
	static const struct address_end mine_ends[] = {
	    {"http://mine.test:PORT/", DONE},
	    {"http://mine.test:PORT/a", REFUSED("5")},
	    {"http://mine.test:PORT/b", REFUSED("8")},
	};
	struct crawl_scene scene;
	if (robots_open(
		&scene, &(struct robots_plan){.hosts = mine,
			    .routes = mine_routes,
			    .route_count = 1,
			    .policy = "identity: {agent: ExampleBot/1.0}\n"})) {
		crawl_scene_ends(
		    &scene, 0, "a crawl under another name finishes");
		JUDGE_ENDS(&scene, mine_ends);
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	test_rules();
	test_agent();
	return tap_done();
}
