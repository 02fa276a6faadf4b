#include "crawl/robots_scene.h"

#include "store/database.h"
#include "together.h"

/* What a robots.txt says counts over runs: the rules as long as ttl, and for
 * how long there were none (P1, P3). */

#define ROBOTS(name) .host = (name), .path = "/robots.txt"
#define RULES                                                                 \
	{                                                                     \
		.type = "text/plain", .body = "User-agent: *\nDisallow: /b\n" \
	}

static const char *const names[] = {
    "kept.test", "none.test", "lost.test", NULL};

static const struct server_route routes[] = {
    {ROBOTS("kept.test"), .answer = RULES},
    {ROBOTS("none.test"), .answer = {.status = 404}},
    {ROBOTS("lost.test"), .answer = {.status = 500}},
};

static int run(struct crawl_scene *scene, const char *assignment)
{
	const char *const arguments[] = {
	    "crawl", "policy.yaml", "-o", "o", "-q", "--set", assignment, NULL};
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
	return crawl_scene_wait(scene, HANG_MS);
}

static int64_t number(struct crawl_scene *scene, const char *sql)
{
	struct pv_database *database =
	    pv_database_look(home_file(&scene->home, "o/state.db"));
	int64_t found = pv_database_number(database, sql);
	pv_database_close(database);
	return found;
}

/* The policy lets one page be asked for in each run. */
static void judge_runs(struct crawl_scene *scene)
{
	ok(run(scene, "limits.pages=2") == 4, "a crawl is stopped by a limit");
	ok(robots_asked(scene, "kept.test", "/robots.txt") == 1 &&
		robots_asked(scene, "none.test", "/robots.txt") == 1,
	    "robots.txt is asked for");
	ok(number(scene, "SELECT count(*) FROM authorities WHERE state = 3 "
			 "AND text LIKE '%Disallow: /b%' AND "
			 "length(digest) = 64 AND http_status = 200") == 1 &&
		number(scene,
		    "SELECT count(*) FROM authorities WHERE state "
		    "= 2 AND text IS NULL AND http_status = 404") == 1,
	    "what it said is kept");
	run(scene, "limits.wait=5s");
	ok(robots_asked(scene, "kept.test", "/robots.txt") == 1 &&
		robots_asked(scene, "none.test", "/robots.txt") == 1,
	    "P3: the next run does not ask for it again");
	ok(robots_asked(scene, "kept.test", "/a") == 1 &&
		robots_asked(scene, "kept.test", "/b") == 0 &&
		robots_asked(scene, "none.test", "/b") == 1,
	    "and goes by it");
}

static void test_kept(void)
{
	struct crawl_scene scene;
	if (robots_open(
		&scene, &(struct robots_plan){.hosts = names,
			    .routes = routes,
			    .route_count = sizeof(routes) / sizeof(*routes)}))
		judge_runs(&scene);
	crawl_scene_close(&scene);
}

/* A state file that time has passed over. */
static void change(struct crawl_scene *scene, const char *sql)
{
	struct pv_database *database =
	    pv_database_open(home_file(&scene->home, "o/state.db"));
	pv_database_run(database, sql);
	ok(pv_database_status(database) == PV_STORE_OK, "time passes");
	pv_database_close(database);
}

/* Rules that change between the finding of a page and its turn. */
static const struct server_route change_routes[] = {
    {ROBOTS("kept.test"), .nth = 1,
	.answer = {.type = "text/plain", .body = "User-agent: *\nAllow: /\n"}},
    {ROBOTS("kept.test"), .answer = RULES},
};

static void test_old(void)
{
	static const char *const one[] = {"kept.test", NULL};
	struct crawl_scene scene;
	if (robots_open(&scene,
		&(struct robots_plan){
		    .hosts = one, .routes = change_routes, .route_count = 2})) {
		run(&scene, "limits.pages=1");
		change(&scene, "UPDATE authorities SET asked_wall_ms = "
			       "asked_wall_ms - 90000000, until_wall_ms = "
			       "until_wall_ms - 90000000");
		run(&scene, "limits.wait=10s");
		ok(robots_asked(&scene, "kept.test", "/robots.txt") == 2,
		    "what is older than ttl is asked for again");
		ok(robots_asked(&scene, "kept.test", "/a") == 1 &&
			robots_asked(&scene, "kept.test", "/b") == 0,
		    "and what was found before is judged by the rules of now");
		struct log_view view = log_view_of(scene.server);
		ok(log_shortest_gap(&view, LOG_BY_HOST).us >= DELAY_MS * 1000,
		    "P1: at the pace of all else");
		log_view_finish(&view);
	}
	crawl_scene_close(&scene);
}

/* The last good copy counts for a day where there is no other (RFC 9309, 2.4). */
static void test_stale(void)
{
	static const char *const one[] = {"kept.test", NULL};
	static const struct server_route fails[] = {
	    {ROBOTS("kept.test"), .nth = 1, .answer = RULES},
	    {ROBOTS("kept.test"), .answer = {.status = 500}},
	};
	struct crawl_scene scene;
	if (robots_open(
		&scene, &(struct robots_plan){
			    .hosts = one, .routes = fails, .route_count = 2})) {
		run(&scene, "limits.pages=1");
		change(&scene, "UPDATE authorities SET asked_wall_ms = "
			       "asked_wall_ms - 72000000, until_wall_ms = "
			       "until_wall_ms - 72000000");
		ok(run(&scene, "limits.wait=10s") == 0 &&
			robots_asked(&scene, "kept.test", "/robots.txt") == 2,
		    "one that cannot be had again holds nobody up");
		ok(robots_asked(&scene, "kept.test", "/a") == 1 &&
			robots_asked(&scene, "kept.test", "/b") == 0,
		    "and what the last one forbids is not asked for");
		struct log_view view = log_view_of(scene.server);
		log_view_keep(&view, "kept.test", NULL);
		ok(view.count == 4 &&
			view.records[3].begin_us - view.records[2].begin_us >=
			    400000,
		    "P2: after its host has rested");
		log_view_finish(&view);
	}
	crawl_scene_close(&scene);
}

/* A wall clock that was set back does not make rules last. */
static void test_future(void)
{
	static const char *const one[] = {"kept.test", NULL};
	struct crawl_scene scene;
	if (robots_open(&scene,
		&(struct robots_plan){
		    .hosts = one, .routes = change_routes, .route_count = 2})) {
		run(&scene, "limits.pages=1");
		change(&scene, "UPDATE authorities SET asked_wall_ms = "
			       "asked_wall_ms + 900000000, until_wall_ms = "
			       "until_wall_ms + 900000000");
		run(&scene, "limits.wait=10s");
		ok(robots_asked(&scene, "kept.test", "/robots.txt") == 2,
		    "what was asked for in the future is asked for again");
	}
	crawl_scene_close(&scene);
}

/* Given up */

static void judge_wait(struct crawl_scene *scene)
{
	/* Its rests are 400 ms and 2 s. */
	ok(robots_asked(scene, "lost.test", "/robots.txt") == 2 &&
		number(scene, "SELECT failures = 2 AND state = 4 AND "
			      "failed_since_wall_ms > 0 FROM authorities "
			      "WHERE name LIKE '%lost%'") == 1,
	    "since when it could not be had is kept");
	run(scene, "limits.wait=1s");
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, "lost.test", NULL);
	struct log_gap gap = {.us = INT64_MAX};
	if (view.count > 2)
		gap.us = view.records[2].begin_us - view.records[1].begin_us;
	ok(gap.us >= 1900000, "P2: another run rests as long");
	log_view_finish(&view);
}

static void test_give_up(void)
{
	static const char *const two[] = {"lost.test", "none.test", NULL};
	struct crawl_scene scene;
	if (!robots_open(
		&scene, &(struct robots_plan){.hosts = two,
			    .routes = routes,
			    .route_count = sizeof(routes) / sizeof(*routes),
			    .policy = "limits: {wait: 1s}\n"})) {
		crawl_scene_close(&scene);
		return;
	}
	ok(crawl_scene_run(&scene, HANG_MS) == 4,
	    "where robots.txt cannot be had the crawl stops by limits.wait");
	judge_wait(&scene);
	change(&scene, "UPDATE authorities SET failed_since_wall_ms = "
		       "failed_since_wall_ms - 31 * 86400000 WHERE failures");
	ok(run(&scene, "limits.wait=1m") == 5,
	    "when that was so for longer than robots.give_up it finishes");
	ok(robots_asked(&scene, "lost.test", "/") == 0 &&
		crawl_scene_lines(&scene, "lost.test",
		    "\"reason\":\"robots-unreachable\"", "\"final\":true",
		    NULL) == 1,
	    "P4: what waited for it ends with that reason");
	crawl_scene_close(&scene);
}

/* A host that never answers, one that answered before it fell silent, and one
 * that says that it cannot answer. */
static void test_silent(void)
{
	static const char *const three[] = {
	    "never.test", "once.test", "fails.test", NULL};
	static const struct server_door silent[] = {
	    {.address = "127.68.0.1", .kind = SERVER_DOOR_RESETS},
	};
	static const struct server_route answers[] = {
	    {.host = "fails.test",
		.path = "/robots.txt",
		.answer = {.status = 500}},
	    {.host = "once.test",
		.path = "/robots.txt",
		.nth = 1,
		.answer = {.status = 503}},
	    {.host = "once.test",
		.path = "/robots.txt",
		.answer = {.fault = {.kind = SERVER_RESET}}},
	};
	struct crawl_scene scene;
	if (robots_open(
		&scene, &(struct robots_plan){.hosts = three,
			    .doors = silent,
			    .door_count = 1,
			    .routes = answers,
			    .route_count = sizeof(answers) / sizeof(*answers),
			    .policy = "robots: {give_up_silent: 1s}\n"
				      "limits: {wait: 5s}\n"})) {
		ok(crawl_scene_run(&scene, HANG_MS) == 4,
		    "who has answered once is waited for");
		ok(number(&scene,
		       "SELECT count(*) FROM refused WHERE host = "
		       "'never.test' AND reason = 'robots-unreachable'") == 1,
		    "P4: who never has is given up before that");
		ok(number(&scene, "SELECT count(*) FROM pending") == 2,
		    "P3: and nobody else");
	}
	crawl_scene_close(&scene);
}

/* An update asks for what the crawl has given up. */
static void test_back(void)
{
	static const char *const two[] = {"good.test", "back.test", NULL};
	static const char *const update[] = {"update", "o", "-q", NULL};
	static const struct server_route answers[] = {
	    {ROBOTS("back.test"), .nth = 1,
		.answer = {.fault = {.kind = SERVER_RESET}}},
	    {ROBOTS("back.test"), .nth = 2,
		.answer = {.fault = {.kind = SERVER_RESET}}},
	    {ROBOTS("back.test"), .nth = 3,
		.answer = {.fault = {.kind = SERVER_RESET}}},
	    {ROBOTS("back.test"), .answer = {.status = 404}},
	};
	struct crawl_scene scene;
	if (robots_open(
		&scene, &(struct robots_plan){.hosts = two,
			    .routes = answers,
			    .route_count = sizeof(answers) / sizeof(*answers),
			    .policy = "robots: {give_up_silent: 1s}\n"})) {
		crawl_scene_run(&scene, HANG_MS);
		ok(number(&scene, "SELECT count(*) FROM refused") == 1,
		    "a host that does not answer is given up");
		change(&scene, "UPDATE authorities SET until_wall_ms = 0");
		program_destroy(scene.program);
		scene.program = program_start(&scene.home, update);
		crawl_scene_wait(&scene, HANG_MS);
		ok(robots_asked(&scene, "back.test", "/b") == 1 &&
			number(&scene, "SELECT count(*) FROM refused") == 0,
		    "an update asks whether it is there again");
	}
	crawl_scene_close(&scene);
}

/* A host of which a port is dead, and another is found once that is known. */
static void test_other_port(void)
{
	static const char *const one[] = {"first.test", NULL};
	static const struct server_route answers[] = {
	    {.host = "first.test",
		.path = "/",
		.answer = {.body = "<a href=/a>a</a>"
				   "<img src='http://two.test:9/dead'>"}},
	    {.host = "first.test",
		.path = "/a",
		.answer = {.is_template = true,
		    .body = "<img src='http://two.test:{port}/b'>",
		    .head_pace = {.delay_ms = 4000}}},
	};
	struct crawl_scene scene;
	if (robots_open(
		&scene, &(struct robots_plan){.hosts = one,
			    .routes = answers,
			    .route_count = sizeof(answers) / sizeof(*answers),
			    .policy = "robots: {give_up_silent: 1s}\n",
			    .resolve = "    two.test: \"127.68.0.2\"\n"})) {
		crawl_scene_run(&scene, HANG_MS);
		ok(number(&scene,
		       "SELECT count(*) FROM refused WHERE url LIKE "
		       "'%:9/dead' AND reason = 'robots-unreachable'") == 1,
		    "P4: what lies at a port that never answers is given up");
		ok(robots_asked(&scene, "two.test", "/b") == 1,
		    "and nothing else of its host");
	}
	crawl_scene_close(&scene);
}

/* The rules are kept by scheme, host and port; a copy that is damaged is none.
 */
static void test_damaged(void)
{
	static const char *const one[] = {"kept.test", NULL};
	struct crawl_scene scene;
	if (robots_open(&scene,
		&(struct robots_plan){
		    .hosts = one, .routes = routes, .route_count = 1})) {
		ok(run(&scene, "limits.pages=1") == 4, "a crawl is stopped");
		struct pv_database *database =
		    pv_database_open(home_file(&scene.home, "o/state.db"));
		pv_database_run(database,
		    "UPDATE authorities SET state = 77, text = x'00ff00'");
		pv_database_close(database);
		ok(run(&scene, "limits.wait=10s") == 0 &&
			robots_asked(&scene, "kept.test", "/robots.txt") == 2 &&
			robots_asked(&scene, "kept.test", "/b") == 0,
		    "what makes no sense is asked for again");
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_kept());
	together(&all, test_old());
	together(&all, test_stale());
	together(&all, test_future());
	together(&all, test_give_up());
	together(&all, test_silent());
	together(&all, test_back());
	together(&all, test_other_port());
	together(&all, test_damaged());
	together_end(&all);
	return tap_done();
}
