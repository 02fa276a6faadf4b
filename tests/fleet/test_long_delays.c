#include "crawl/patience.h"
#include "fleet/scene/claims.h"

/* Few hosts, whose delay is longer than a worker waits between two looks at who is
 * idle: each host is asked where it is, and does not go from one idle worker to the
 * next, which would owe the whole delay again each time. */

#define HOSTS 9
#define DELAY_MS 1500 /* a beat is a third of FLEET_TTL_MS */

static const char policy[] =
    "version: 1\n"
    "name: scene\n"
    "seeds: [\"http://127.0.1.1:PORT/\"]\n"
    "scope: {sitemaps: false, hosts: any}\n"
    "rate: {max_rate: 100000, interval: 1s, concurrency: 40}\n"
    "politeness: {delay: 1500ms, delay_factor: 0, ip_delay: 0}\n"
    "stop: {drain_timeout: 2s}\n"
    "fetch: {private: all}\n"
    "output: {}\n";

static size_t count_given(struct fleet_scene *scene)
{
	size_t count = 0;
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		struct pv_buf text;
		char name[32];
		snprintf(name, sizeof(name), "w%u/clocks.jsonl", i);
		pv_buf_init(&text, SIZE_MAX);
		home_read(&scene->home, name, &text);
		for (const char *at = pv_buf_text(&text);
		     (at = strstr(at, "\"event\":\"given\"")); at++)
			count++;
		pv_buf_finish(&text);
	}
	return count;
}

static void judge(struct fleet_scene *scene)
{
	struct fleet_findings found = fleet_scene_find(scene);
	size_t given = count_given(scene);
	ok(found.gap.us >= DELAY_MS * 1000 - FLEET_TOLERANCE_US,
	    "P1: no host is asked sooner than its delay allows (%.1f ms)",
	    (double)found.gap.us / 1000);
	ok(found.pages == scene->reachable && !found.page_repeats,
	    "P6: each page is asked for, once (%zu of %zu)", found.pages,
	    scene->reachable);
	ok(given <= HOSTS, "hosts seldom change their worker (%zu times)",
	    given);
}

/* The delays of one host with all its pages, one after the other, twice. */
static void ends_in_time(struct fleet_scene *scene, int64_t begin_ms)
{
	bool is_ended = fleet_scene_ends(scene);
	int64_t took_ms = fleet_scene_now_ms() - begin_ms;
	if (!ok(is_ended, "the fleet finishes its crawl"))
		fleet_scene_show(scene);
	ok(took_ms <
		(int64_t)(2 * (WEB_PAGES + 1) * DELAY_MS + 2000 * patience()),
	    "in no more than twice the time that the delays take (%lld ms)",
	    (long long)took_ms);
	judge(scene);
}

static void test_together(struct fleet_scene *scene)
{
	int64_t begin_ms = fleet_scene_now_ms();
	fleet_scene_start(scene);
	ends_in_time(scene, begin_ms);
}

/* Those who join late get hosts, which wait for them until their delay is over. */
static void test_late(struct fleet_scene *scene)
{
	int64_t begin_ms = fleet_scene_now_ms();
	fleet_scene_start_one(scene, 0);
	fleet_reaches(scene, 30);
	fleet_scene_start(scene);
	ends_in_time(scene, begin_ms);
}

static void run(
    void (*test)(struct fleet_scene *scene), struct fleet_scene *scene)
{
	struct web web = {.hosts = HOSTS, .latency_ms = 20};
	if (!fleet_scene_open_with(scene, policy, web_answer, &web)) {
		ok(false, "PostgreSQL can be made to run here");
		return;
	}
	scene->web = web;
	scene->reachable = web_count_reachable(&web);
	test(scene);
	fleet_scene_close(scene);
}

int main(int count, char **arguments)
{
	struct fleet_scene scene;
	if (worker_is_meant(count, arguments))
		return worker_run(arguments);
	const char *absence = fleet_scene_absence();
	if (absence)
		return tap_skip_all(absence);
	run(test_together, &scene);
	run(test_late, &scene);
	return tap_done();
}
