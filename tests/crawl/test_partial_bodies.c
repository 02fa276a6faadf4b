#include "crawl/scene.h"
#include "store/database.h"

/* A body that ends early is never kept as if it were whole, whatever ends it.
 * What servers do is in test_hostile_framing.c and test_hostile_bodies.c; here
 * it is we who end it, and what is looked at is all that could say that there
 * is a page: files, copies, outcomes. */

#define SIZE 600000

static const struct server_route slow[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/page",
	.nth = 1,
	.answer = {.kind = SERVER_PATTERN,
	    .size = SIZE,
	    .type = "text/plain",
	    .body_pace = {.piece = 300000, .pause_ms = 60000}}},
    {.path = "/page",
	.answer = {.kind = SERVER_PATTERN, .size = SIZE, .type = "text/plain"}},
};

#define POLICY                                                           \
	"version: 1\n"                                                   \
	"seeds: [\"http://127.0.0.1:PORT/page\"]\n"                      \
	"politeness: {delay: 20ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0, backoff: {failure: 20ms, factor: 1}}\n"            \
	"output: {mirror: {rewrite: false}}\n"

/* Where the time is short a busy machine might not bring robots.txt within it. */
#define NO_ROBOTS "domains: {127.0.0.1: {robots: ignore}}\n"

static int64_t number(struct crawl_scene *scene, const char *sql)
{
	struct pv_database *database =
	    pv_database_open(home_file(&scene->home, "o/state.db"));
	int64_t found = pv_database_number(database, sql);
	pv_database_close(database);
	return found;
}

static void is_nothing(struct crawl_scene *scene, const char *what)
{
	ok(!crawl_scene_has(scene, "o/site/127*") &&
		!crawl_scene_has(scene, "o/parts"),
	    "P3: %s: there is no file", what);
	ok(number(scene, "SELECT count(*) FROM copies") == 0,
	    "P3: %s: no copy is known", what);
	ok(crawl_scene_lines(
	       scene, "/page", "\"outcome\":\"answered\"", NULL) == 0 &&
		number(scene, "SELECT count(*) FROM pages WHERE "
			      "outcome = 'answered'") == 0,
	    "P3: %s: nothing says that it was answered", what);
}

static void is_whole(struct crawl_scene *scene, const char *what)
{
	crawl_scene_ends(scene, 0, "it is gone on with");
	ok(crawl_scene_lines(scene, "\"outcome\":\"answered\"",
	       "\"bytes\":600000,", "\"final\":true", NULL) == 1 &&
		crawl_scene_has(scene, "o/site/127*/page*"),
	    "%s: and then the whole is there", what);
}

static void end_by_signals(int first, int second, const char *what)
{
	struct crawl_scene scene;
	struct server_plan plan = {SERVER_ROUTES(slow)};
	if (ok(crawl_scene_open(&scene, &plan), "the host is there")) {
		crawl_scene_policy(
		    &scene, POLICY "stop: {drain_timeout: 300ms}\n");
		crawl_scene_start(&scene);
		ok(server_wait(scene.server, 2, HANG_MS), "the body is begun");
		program_signal(scene.program, first);
		if (second)
			program_signal(scene.program, second);
		crawl_scene_wait(&scene, HANG_MS);
		is_nothing(&scene, what);
		is_whole(&scene, what);
	}
	crawl_scene_close(&scene);
}

static void end_by_policy(const char *fetch, const char *outcome)
{
	struct crawl_scene scene;
	struct server_plan plan = {SERVER_ROUTES(slow)};
	if (ok(crawl_scene_open(&scene, &plan), "the host is there")) {
		struct pv_buf text;
		pv_buf_init(&text, 10000);
		pv_buf_append_format(&text, POLICY NO_ROBOTS "%s", fetch);
		crawl_scene_policy(&scene, pv_buf_text(&text));
		crawl_scene_ends(&scene, 5, fetch);
		ok(crawl_scene_lines(&scene, outcome, "\"final\":true", NULL) ==
			1,
		    "it ends as %s", outcome);
		is_nothing(&scene, outcome);
		pv_buf_finish(&text);
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	end_by_signals(SIGINT, SIGTERM, "a second signal");
	end_by_signals(SIGTERM, 0, "the end of the drain");
	end_by_signals(SIGKILL, 0, "a kill");
	end_by_policy(
	    "fetch: {retries: 0, timeout: {total: 500ms}}\n", "timeout");
	end_by_policy(
	    "fetch: {retries: 0, timeout: {stall: 500ms}}\n", "timeout");
	end_by_policy("fetch: {max_size: 500000}\n", "too-large");
	return tap_done();
}
