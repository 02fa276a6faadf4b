#include "crawl/scene.h"

/* The program goes on by another policy than before: what it says of that, what
 * it asks for then, and SIGHUP, which has it read again (P3, P4, P6). */

/* A front page that leads to /a1 .. /a9, of which each leads to one /b. */
static const struct server_route routes[] = {
    {.path = "/",
	.answer = {.body = "<a href=/a1>1</a><a href=/a2>2</a>"
			   "<a href=/a3>3</a><a href=/a4>4</a>"
			   "<a href=/a5>5</a><a href=/a6>6</a>"
			   "<a href=/a7>7</a><a href=/a8>8</a>"}},
    {.path = "/a1", .answer = {.body = "<a href=/b1>on</a>"}},
    {.path = "/a2", .answer = {.body = "<a href=/b2>on</a>"}},
    {.path = "/a*", .answer = {.body = "nothing more"}},
    {.path = "/b*", .answer = {.body = "the end"}},
};

static const char policy[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "rate: {max_rate: 1000, interval: 100ms, concurrency: 8}\n"
    "politeness: {delay: 30ms, ip_delay: 0, delay_factor: 0}\n"
    "limits: {pages: 4}\n"
    "scope: {depth: 1, sitemaps: false}\n"
    "output: {}\n";

static bool begin(struct crawl_scene *scene)
{
	if (!ok(crawl_scene_open(
		    scene, &(struct server_plan){SERVER_ROUTES(routes)}),
		"a host is there"))
		return false;
	crawl_scene_policy(scene, policy);
	return true;
}

/* Runs with what the arguments change; its status. */
static int go_on(struct crawl_scene *scene, const char *one, const char *other)
{
	const char *arguments[] = {
	    "continue", "o", "--set", one, "--set", other, NULL};
	if (!other)
		arguments[4] = NULL;
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	return crawl_scene_wait(scene, HANG_MS);
}

static bool has_said(struct crawl_scene *scene, const char *text)
{
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_errors(scene->program, &said);
	bool has_text = strstr(pv_buf_text(&said), text) != NULL;
	if (!has_text)
		printf("# %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
	return has_text;
}

static size_t asked(struct crawl_scene *scene, const char *path)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = log_count(&view, NULL, path);
	log_view_finish(&view);
	return count;
}

static void test_narrower(void)
{
	struct crawl_scene scene;
	if (begin(&scene)) {
		crawl_scene_ends(&scene, 4, "a crawl is stopped by a limit");
		ok(go_on(&scene, "limits.pages=none",
		       "scope.rules=[{deny: {url: \"/a[5-8]$\"}}]") == 0,
		    "it goes on by a narrower policy");
		ok(has_said(&scene, "limits.pages: now none, was 4: "),
		    "P4: a key that changed is told, with what it was");
		ok(has_said(&scene,
		       "scope.rules: changed: pending and refused addresses "
		       "are judged again"),
		    "P4: one of many lines, too");
		ok(has_said(&scene, "changed policy: 4 pending addresses are "
				    "refused now"),
		    "and what comes of it");
		ok(asked(&scene, "/a5") + asked(&scene, "/a8") == 0 &&
			asked(&scene, "/a4") == 1,
		    "P4: what it denies is not asked for, and all else is");
		ok(crawl_scene_lines(&scene, "/a6\"", "\"final\":true",
		       "\"reason\":\"rule\"", NULL) == 1,
		    "P4: the journal tells why");
	}
	crawl_scene_close(&scene);
}

static void test_wider(void)
{
	struct crawl_scene scene;
	if (begin(&scene)) {
		crawl_scene_ends(&scene, 4, "a crawl is stopped by a limit");
		ok(go_on(&scene, "limits.pages=none", NULL) == 0 &&
			asked(&scene, "/b1") == 0,
		    "it is finished one link from its seed");
		ok(go_on(&scene, "scope.depth=2", "limits.pages=none") == 0,
		    "a finished crawl goes on by a wider policy");
		ok(has_said(&scene, "scope.depth: now 2, was 1: "),
		    "P4: which is told");
		ok(has_said(&scene, "changed policy: 2 refused addresses are "
				    "requested now"),
		    "and what it admits");
		ok(asked(&scene, "/b1") == 1 && asked(&scene, "/b2") == 1,
		    "P3: what had been refused is asked for");
		ok(asked(&scene, "/") == 1 && asked(&scene, "/a1") == 1,
		    "and nothing again");
		ok(go_on(&scene, "scope.depth=2", "limits.pages=none") == 0 &&
			asked(&scene, "/b1") == 1,
		    "the same once more changes nothing");
	}
	crawl_scene_close(&scene);
}

/* SIGHUP */

static const char slow[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "politeness: {delay: 200ms, ip_delay: 0, delay_factor: 0}\n"
    "scope: {depth: %s, sitemaps: false}\n"
    "rate: {max_rate: %u, interval: 1h}\n"
    "limits: {wait: none}\n"
    "output: {}\n";

/* No crawl gets further than so many requests, however late somebody comes. */
static void write_slow(
    struct crawl_scene *scene, const char *depth, unsigned requests)
{
	char text[1000];
	snprintf(text, sizeof(text), slow, depth, requests);
	crawl_scene_policy(scene, text);
}

static void start(struct crawl_scene *scene)
{
	static const char *const arguments[] = {
	    "crawl", "policy.yaml", "-o", "o", NULL};
	scene->program = program_start(&scene->home, arguments);
}

static void test_hangup(void)
{
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(
		    &scene, &(struct server_plan){SERVER_ROUTES(routes)}),
		"a host is there"))
		return;
	write_slow(&scene, "1", 3);
	start(&scene);
	server_wait(scene.server, 2, HANG_MS);
	write_slow(&scene, "deep", 3);
	program_signal(scene.program, SIGHUP);
	ok(program_says(scene.program, "scope.depth", HANG_MS) &&
		program_says(scene.program, "the policy has mistakes", HANG_MS),
	    "SIGHUP has the policy read again: a wrong one is told");
	write_slow(&scene, "2", 1000);
	program_signal(scene.program, SIGHUP);
	ok(program_says(scene.program, "scope.depth: now 2, was 1", HANG_MS),
	    "a right one holds, and what it changes is told");
	ok(crawl_scene_wait(&scene, HANG_MS) == 0,
	    "the crawl goes on to its end");
	ok(asked(&scene, "/b1") == 1 && asked(&scene, "/b2") == 1,
	    "by the policy that was read");
	struct log_view view = log_view_of(scene.server);
	ok(log_count(&view, NULL, NULL) == 12,
	    "P3: and nothing is asked for twice");
	ok(log_shortest_gap(&view, LOG_BY_HOST).us >= 200000,
	    "P1: nor too soon");
	log_view_finish(&view);
	crawl_scene_close(&scene);
}

static void test_hangup_and_stop(void)
{
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(
		    &scene, &(struct server_plan){SERVER_ROUTES(routes)}),
		"a host is there"))
		return;
	write_slow(&scene, "1", 3);
	start(&scene);
	server_wait(scene.server, 2, HANG_MS);
	write_slow(&scene, "2", 3);
	program_signal(scene.program, SIGHUP);
	ok(program_says(scene.program, "the policy was read again", HANG_MS),
	    "SIGHUP has the policy read again");
	program_signal(scene.program, SIGTERM);
	ok(crawl_scene_wait(&scene, HANG_MS) == 3,
	    "P6: who is to stop does, whatever was to be read");
	write_slow(&scene, "2", 1000);
	ok(crawl_scene_run(&scene, HANG_MS) == 0 && asked(&scene, "/b1") == 1,
	    "P3: and the next run goes on by what stands there");
	crawl_scene_close(&scene);
}

int main(void)
{
	test_narrower();
	test_wider();
	test_hangup();
	test_hangup_and_stop();
	return tap_done();
}
