#include "crawl/patience.h"
#include "fleet/scene/claims.h"

/* Each host has once said for how long it wants to be left alone: whoever owns it
 * next heeds that, whatever became of the worker that was told. */

#define HOSTS 12
#define PAGES 3 /* of each host, beside its first */
#define RETRY_AFTER "8"
#define RETRY_AFTER_US INT64_C(8000000)

static const char policy[] =
    "version: 1\n"
    "name: scene\n"
    "seeds: [\"http://root.test:PORT/0\"]\n"
    "scope: {sitemaps: false, hosts: any}\n"
    "rate: {max_rate: 100000, interval: 1s, concurrency: 40}\n"
    "politeness: {delay: 100ms, delay_factor: 0, ip_delay: 0, "
    "backoff: {overload: 1s}}\n"
    "stop: {drain_timeout: 2s}\n"
    "fetch: {private: all, resolve: {\"*.test\": 127.0.1.1}}\n"
    "output: {}\n";

struct web_of_busy_hosts {
	bool has_told[HOSTS];
};

static void answer_root(
    const struct server_request *request, struct server_answer *answer)
{
	struct pv_str own = server_header(request->headers, "host");
	struct pv_str port = pv_str_from(own, pv_str_find(own, ':'));
	unsigned long number = strtoul(request->path.ptr + 1, NULL, 10);
	if (number >= HOSTS)
		return;
	pv_buf_append_format(answer->own_body,
	    "<a href=\"http://x%lu.test%.*s/n0\">host</a>\n"
	    "<a href=/%lu>next</a>\n",
	    number, PV_STR_ARG(port), number + 1);
}

static void answer_host(struct web_of_busy_hosts *web,
    const struct server_request *request, struct server_answer *answer)
{
	unsigned long number = strtoul(request->host.ptr + 1, NULL, 10) % HOSTS;
	if (!web->has_told[number]) {
		web->has_told[number] = true;
		answer->status = 429;
		answer->headers = "Retry-After: " RETRY_AFTER "\r\n";
		return;
	}
	for (unsigned i = 1; i <= PAGES; i++)
		pv_buf_append_format(
		    answer->own_body, "<a href=/n%u>page</a>\n", i);
}

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		answer->type = "text/plain";
	else if (pv_str_equal(request->host, PV_STR("root.test")))
		answer_root(request, answer);
	else if (pv_str_equal(request->path, PV_STR("/n0")))
		answer_host(ctx, request, answer);
	return true;
}

/* How many hosts have told it, and the shortest time that one was left alone then. */
static size_t judge(struct fleet_scene *scene, int64_t *shortest_us)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = 0;
	*shortest_us = INT64_MAX;
	for (size_t i = 0; i < view.count; i++) {
		const struct server_record *told = &view.records[i];
		if (told->status != 429)
			continue;
		count++;
		size_t next = i + 1;
		while (next < view.count &&
		       !pv_str_equal(view.records[next].host, told->host))
			next++;
		if (next == view.count)
			continue;
		int64_t us = view.records[next].begin_us - told->begin_us;
		*shortest_us = us < *shortest_us ? us : *shortest_us;
	}
	log_view_finish(&view);
	return count;
}

static void all_tell(struct fleet_scene *scene)
{
	int64_t until = fleet_scene_now_ms() + HANG_MS, shortest_us;
	while (
	    judge(scene, &shortest_us) < HOSTS && fleet_scene_now_ms() < until)
		fleet_scene_rest(10);
}

static void ends(struct fleet_scene *scene, const char *claim)
{
	struct log_view view;
	int64_t shortest_us;
	bool is_good =
	    ok(fleet_scene_ends(scene), "the fleet finishes its crawl");
	judge(scene, &shortest_us);
	is_good = ok(shortest_us >= RETRY_AFTER_US - FLEET_TOLERANCE_US,
		      "P1: %s (%.1f s)", claim, (double)shortest_us / 1e6) &&
		  is_good;
	view = log_view_of(scene->server);
	log_view_keep(&view, "x*", "/n*");
	size_t pages = 0;
	for (size_t i = 0; i < view.count; i++)
		pages += view.records[i].status == 200;
	log_view_finish(&view);
	is_good = ok(pages >= (size_t)HOSTS * (PAGES + 1),
		      "P6: each page is asked for (%zu)", pages) &&
		  is_good;
	if (!is_good)
		fleet_scene_show(scene);
}

static void stop(struct fleet_scene *scene, unsigned number)
{
	kill(scene->workers[number], SIGTERM);
	ok(worker_wait(scene->workers[number], HANG_MS) >= 0, "worker %u stops",
	    number);
	scene->workers[number] = 0;
}

static void test_all_stop(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	all_tell(scene);
	for (unsigned i = 0; i < FLEET_WORKERS; i++)
		stop(scene, i);
	fleet_scene_start(scene);
	ends(scene, "when all have stopped, who goes on heeds a Retry-After");
}

static void test_some_stop(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	all_tell(scene);
	for (unsigned i = 1; i < FLEET_WORKERS; i++)
		stop(scene, i);
	ends(scene, "who takes over from workers that stop heeds it");
}

static void test_killed(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	all_tell(scene);
	fleet_scene_rest(1000);
	for (unsigned i = 1; i < FLEET_WORKERS; i++)
		fleet_scene_kill(scene, i);
	ends(scene, "who takes over from workers that were killed does");
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {
	    test_all_stop, test_some_stop, test_killed};
	const char *absence = fleet_scene_absence();
	if (worker_is_meant(count, arguments))
		return worker_run(arguments);
	if (absence)
		return tap_skip_all(absence);
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		struct web_of_busy_hosts web = {.has_told = {false}};
		struct fleet_scene scene;
		if (!fleet_scene_open_with(&scene, policy, answer, &web)) {
			ok(false, "PostgreSQL can be made to run here");
			break;
		}
		tests[i](&scene);
		fleet_scene_close(&scene);
	}
	return tap_done();
}
