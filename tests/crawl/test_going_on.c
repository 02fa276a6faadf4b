#include <stdatomic.h>
#include <unistd.h>

#include <jansson.h>

#include "crawl/patience.h"
#include "crawl/scene.h"
#include "store/database.h"
#include "together.h"

/* A crawl's directory from one run to the next: what is kept, what is cut, what
 * is thrown away (P3). */

#define PAGES 80

static const char *const plain[] = {
    "crawl", "policy.yaml", "-o", "o", "-q", NULL};
static const char *const fresh[] = {
    "crawl", "policy.yaml", "-o", "o", "-q", "--fresh", NULL};
static const char *const fresh_agreed[] = {
    "crawl", "policy.yaml", "-o", "o", "-q", "--fresh", "--yes", NULL};
static const char *const go_on[] = {"continue", "o", "-q", NULL};

static int run(struct crawl_scene *scene, const char *const *arguments)
{
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	return crawl_scene_wait(scene, HANG_MS);
}

static bool says(struct crawl_scene *scene, const char *text)
{
	return program_says(scene->program, text, 0);
}

static size_t count_asked(struct crawl_scene *scene, const char *target)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = log_count(&view, NULL, target);
	log_view_finish(&view);
	return count;
}

/* Redirects */

static const struct server_route hops[] = {
    {.path = "/", .answer = {.status = 302, .location = "/hop-1"}},
    {.path = "/hop-*", .answer = {.status = 302, .location = "/hop-{n+1}"}},
};

static void test_hops(void)
{
	static const struct server_plan plan = {SERVER_ROUTES(hops)};
	static const struct address_end end = {
	    "http://127.0.0.1:PORT/hop-7", "\"reason\":\"redirects\""};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a host is there"))
		return;
	crawl_scene_policy(&scene,
	    "version: 1\n"
	    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
	    "politeness: {delay: 100ms, delay_from: start, ip_delay: 0}\n"
	    "output: {}\n"
	    "fetch: {redirects: 6}\n");
	for (size_t stops = 1; stops <= 2; stops++) {
		program_destroy(scene.program);
		scene.program = program_start(&scene.home, plain);
		server_wait(scene.server, 1 + 2 * stops, HANG_MS);
		program_signal(scene.program, SIGINT);
		int status = crawl_scene_wait(&scene, HANG_MS);
		ok(status == 3, "a chain of redirects is stopped (%d)", status);
	}
	ok(run(&scene, plain) == 5, "and followed to its end");
	ok(count_asked(&scene, "/hop-*") == 6 &&
		count_asked(&scene, "/hop-7") == 0,
	    "hops are counted over all runs (%zu)",
	    count_asked(&scene, "/hop-*"));
	crawl_scene_judge_end(&scene, &end);
	crawl_scene_close(&scene);
}

static const struct server_route moved_site[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.host = "a.test",
	.path = "/",
	.answer = {.status = 302, .location = "http://b.test/"}},
    {.host = "b.test", .path = "/", .answer = {.body = "<a href=/first>"}},
    {.path = "/first", .answer = {.body = "<a href=/second>"}},
    {.path = "/second", .answer = {.body = "end"}},
};

/* Pages of the host to which a seed was redirected belong to the crawl. */
static void test_seed_redirect(void)
{
	static const struct server_plan plan = {SERVER_ROUTES(moved_site)};
	static const char *const first[] = {"crawl", "policy.yaml", "-o", "o",
	    "-q", "--set", "limits.pages=1", NULL};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a site has moved"))
		return;
	crawl_scene_policy(&scene,
	    "version: 1\n"
	    "seeds: [\"http://a.test/\"]\n"
	    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	    "fetch: {resolve: {\"*.test\": \"127.0.0.1:PORT\"}}\n"
	    "output: {}\n");
	run(&scene, first);
	ok(count_asked(&scene, "/first") == 0,
	    "the first run ends at the page where it is now");
	ok(run(&scene, plain) == 0 && count_asked(&scene, "/second") == 1 &&
		count_asked(&scene, "/") == 2,
	    "P3: the next run goes on there, and knows that it belongs to the "
	    "crawl, without asking for the seed again");
	crawl_scene_close(&scene);
}

/* The journal */

static const char policy[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "rate: {max_rate: 1000, interval: 100ms, concurrency: 4}\n"
    "politeness: {delay: 0, ip_delay: 0, delay_factor: 0, connections: 4}\n"
    "output: {mirror: {rewrite: false}}\n";

#define CONNECTIONS 4

static struct site site = {.pages = PAGES, .links = 15, .latency_ms = 60};

/* From that request on, counted from 1, nobody is answered. */
static atomic_size_t hold_from = SIZE_MAX, requests;

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	size_t number = 1 + atomic_fetch_add(&requests, 1);
	if (!site_answer(ctx, request, answer))
		return false;
	if (number >= atomic_load(&hold_from))
		answer->head_pace.delay_ms = HANG_MS;
	return true;
}

/* Lines that are no whole ones of ours. */
static unsigned torn;

static void look_at(const char *line)
{
	json_t *value = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
	if (!json_is_string(json_object_get(value, "time")) ||
	    !json_is_string(json_object_get(value, "url")) ||
	    !json_is_string(json_object_get(value, "outcome")))
		torn++;
	json_decref(value);
}

static size_t lines(struct crawl_scene *scene)
{
	torn = 0;
	return crawl_scene_search(
	    scene, &(struct crawl_scene_search){
		       .texts = {""}, .count = 1, .on_line = look_at});
}

static void append(struct crawl_scene *scene, const char *text)
{
	FILE *file = fopen(home_file(&scene->home, "o/journal.jsonl"), "a");
	fputs(text, file);
	fclose(file);
}

static int64_t count_done(struct crawl_scene *scene)
{
	struct pv_database *database =
	    pv_database_look(home_file(&scene->home, "o/state.db"));
	int64_t count = pv_database_number(
	    database, "SELECT count(*) FROM addresses WHERE state = 2");
	pv_database_close(database);
	return count > 0 ? count : 0;
}

/* Kills it when so many pages more have been answered, and all of that has been
 * committed: what is in flight then is answered by nobody. */
static void kill_it(struct crawl_scene *scene, size_t pages)
{
	size_t done = (size_t)count_done(scene) + pages;
	size_t before = server_log_count(scene->server);
	size_t robots = before == 0;
	atomic_store(&hold_from, before + robots + pages + 1);
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, plain);
	server_wait(
	    scene->server, before + robots + pages + CONNECTIONS, HANG_MS);
	for (int ms = 0; ms < HANG_MS && (size_t)count_done(scene) < done;
	     ms += 20)
		server_wait(scene->server, SIZE_MAX, 20);
	program_signal(scene->program, SIGKILL);
	crawl_scene_wait(scene, HANG_MS);
	atomic_store(&hold_from, SIZE_MAX);
	ok((size_t)count_done(scene) == done,
	    "P3: what was answered is committed soon, whatever comes next "
	    "(%zu pages)",
	    done);
}

/* What a kill leaves behind what was committed is cut off: half a line, or the
 * line of a request that will be made again. */
static void test_cut(struct crawl_scene *scene)
{
	for (unsigned i = 0; i < 2; i++) {
		kill_it(scene, 32);
		append(scene, i % 2 ? "{\"time\":\"2026-01-01T0"
				    : "{\"time\":\"x\",\"final\":true}\n");
	}
	ok(run(scene, plain) == 0, "a crawl that was killed finishes");
	size_t count = lines(scene);
	ok(torn == 0, "all lines of its journal are whole (%u are not)", torn);
	ok(crawl_scene_lines(scene, "\"final\":true", NULL) == PAGES,
	    "each page has one last line (%zu)",
	    crawl_scene_lines(scene, "\"final\":true", NULL));
	ok(crawl_scene_lines(scene, "\"file\":\"site/", NULL) == PAGES,
	    "and its file");
	ok(server_log_count(scene->server) == count + 2 * CONNECTIONS,
	    "P3: and no more is asked for again than was in flight (%zu)",
	    server_log_count(scene->server) - count);
}

static void test_done(struct crawl_scene *scene)
{
	size_t before = server_log_count(scene->server);
	ok(run(scene, plain) == 0 && run(scene, go_on) == 0 &&
		server_log_count(scene->server) == before,
	    "a crawl that is done asks for nothing, however it is called");
}

static void test_fresh(struct crawl_scene *scene)
{
	size_t before = server_log_count(scene->server);
	home_write(&scene->home, "o/site/mine.txt", PV_STR("mine"));
	ok(run(scene, fresh) == 2 && says(scene, "--yes") &&
		server_log_count(scene->server) == before,
	    "--fresh throws nothing away that nobody agreed to");
	ok(run(scene, fresh_agreed) == 0, "with --yes it begins anew");
	ok(server_log_count(scene->server) == before + PAGES + 1 &&
		lines(scene) == PAGES + 1,
	    "and asks for everything again");
	ok(!crawl_scene_has(scene, "o/site/mine.txt"),
	    "in a directory in which nothing else is left");
}

/* What somebody has done to the directory is not made good by guessing. */
static void test_damage(struct crawl_scene *scene)
{
	size_t before = server_log_count(scene->server);
	ok(truncate(home_file(&scene->home, "o/journal.jsonl"), 100) == 0 &&
		run(scene, plain) == 1 && says(scene, "journal.jsonl"),
	    "a journal that somebody has cut is not gone on with");
	home_write(&scene->home, "o/state.db", PV_STR("no database"));
	ok(run(scene, plain) == 1 && says(scene, "state.db"),
	    "nor is a state that is none");
	ok(server_log_count(scene->server) == before, "nobody is asked");
	ok(run(scene, (const char *const[]){"continue", "nowhere", NULL}) == 2,
	    "nor is there anything to go on with where no crawl is");
}

static void test_directory(void)
{
	struct server_plan plan = {.answer = answer, .ctx = &site};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a site is there"))
		return;
	crawl_scene_policy(&scene, policy);
	test_cut(&scene);
	test_done(&scene);
	test_fresh(&scene);
	test_damage(&scene);
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_hops());
	together(&all, test_seed_redirect());
	together(&all, test_directory());
	together_end(&all);
	return tap_done();
}
