#include "crawl/scene.h"
#include "server/loop.h"

/* `pavane set`, judged by the server: what is set holds from the next request
 * on, and never gives anybody more than the policy before or after. */

#define PAGES 4000
#define FAST_MS 20
#define SLOW_MS 400
#define RATE 5

static struct site site = {.pages = PAGES, .links = 4};

/* Runs another program on the crawl; whether it ended well. */
static bool order(struct crawl_scene *scene, const char *const *arguments)
{
	struct program_end end;
	struct program *program = program_start(&scene->home, arguments);
	bool is_done = program_wait(program, HANG_MS, &end) && !end.is_killed &&
		       end.status == 0;
	program_destroy(program);
	return is_done;
}

static bool set(struct crawl_scene *scene, const char *assignment)
{
	const char *const arguments[] = {"set", "o", assignment, NULL};
	return order(scene, arguments);
}

/* The shortest gap between two requests of which the second came after then. */
static int64_t shortest_gap_us(
    const struct log_view *view, int64_t after_us, size_t *count)
{
	int64_t shortest = INT64_MAX;
	*count = 0;
	for (size_t i = 1; i < view->count; i++) {
		int64_t at = view->records[i].begin_us;
		if (at < after_us)
			continue;
		int64_t gap = at - view->records[i - 1].begin_us;
		shortest = gap < shortest ? gap : shortest;
		(*count)++;
	}
	return shortest;
}

/* In any second. */
static size_t most_in_second(const struct log_view *view)
{
	size_t most = 0, first = 0;
	for (size_t i = 0; i < view->count; i++) {
		while (
		    view->records[i].begin_us - view->records[first].begin_us >=
		    1000000)
			first++;
		if (i - first + 1 > most)
			most = i - first + 1;
	}
	return most;
}

static bool begin(struct crawl_scene *scene, const char *policy)
{
	static const char *const arguments[] = {
	    "crawl", "policy.yaml", "-o", "o", NULL};
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	if (!ok(crawl_scene_open(scene, &plan), "a host is there"))
		return false;
	crawl_scene_policy(scene, policy);
	scene->program = program_start(&scene->home, arguments);
	return scene->program;
}

static void end(struct crawl_scene *scene)
{
	static const char *const stop[] = {"stop", "o", NULL};
	ok(order(scene, stop) && crawl_scene_wait(scene, HANG_MS) == 3,
	    "it is stopped");
}

/* A delay that is raised, by whatever it is counted. */
static void test_raised(const char *delay_from)
{
	struct crawl_scene scene;
	struct log_view view;
	size_t count;
	char policy[512];
	snprintf(policy, sizeof(policy),
	    "version: 1\nseeds: [\"http://127.0.0.1:PORT/\"]\n"
	    "rate: {max_rate: 100, interval: 1s}\n"
	    "politeness: {delay: %dms, delay_factor: 0, ip_delay: 0, "
	    "delay_from: %s}\n",
	    FAST_MS, delay_from);
	if (!begin(&scene, policy))
		return;
	server_wait(scene.server, 20, HANG_MS);
	ok(set(&scene, "politeness.delay=400ms"), "a delay is set");
	program_says(scene.program, "this holds when", HANG_MS);
	int64_t told_us = loop_now_us();
	ok(program_says(scene.program, "politeness.delay: now 400ms", HANG_MS),
	    "which is told");
	server_wait(scene.server, server_log_count(scene.server) + 4, HANG_MS);
	view = log_view_of(scene.server);
	/* What was released just before may still be on its way. */
	int64_t gap = shortest_gap_us(&view, told_us + 50000, &count);
	log_view_finish(&view);
	ok(count >= 3 && gap >= SLOW_MS * 1000,
	    "P1: from the first gap on, delay_from %s, %zu gaps of %lld ms or "
	    "more",
	    delay_from, count, (long long)gap / 1000);
	ok(set(&scene, "politeness.delay="), "it is taken back");
	size_t before = server_log_count(scene.server);
	ok(server_wait(scene.server, before + 20, HANG_MS),
	    "and the crawl goes on as before");
	end(&scene);
	crawl_scene_close(&scene);
}

/* Orders one after the other must not fill the bucket each time. */
static void test_rate(void)
{
	struct crawl_scene scene;
	struct log_view view;
	char assignment[64];
	if (!begin(&scene,
		"version: 1\nseeds: [\"http://127.0.0.1:PORT/\"]\n"
		"rate: {max_rate: 5, interval: 1s, burst: 5}\n"
		"politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"))
		return;
	bool are_set = true;
	server_wait(scene.server, 3, HANG_MS);
	for (int i = 0; i < 5; i++) {
		snprintf(
		    assignment, sizeof(assignment), "fetch.retries=%d", i % 3);
		are_set = are_set && set(&scene, assignment);
		server_wait(
		    scene.server, server_log_count(scene.server) + 2, HANG_MS);
	}
	ok(are_set, "something is set again and again");
	end(&scene);
	view = log_view_of(scene.server);
	size_t most = most_in_second(&view);
	log_view_finish(&view);
	ok(most <= 2 * RATE,
	    "P1: in no second more than two ticks' worth (%zu)", most);
	crawl_scene_close(&scene);
}

int main(void)
{
	test_raised("end");
	test_raised("start");
	test_rate();
	return tap_done();
}
