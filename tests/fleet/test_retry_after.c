#include <stdatomic.h>

#include "crawl/patience.h"
#include "fleet/line/proxy.h"
#include "fleet/scene/claims.h"

/* Each host has once said for how long it wants to be left alone: whoever owns it
 * next heeds that, whatever became of the worker that was told. */

#define HOSTS 12
#define PAGES 3       /* of each host, beside its first ... */
#define MANY_PAGES 80 /* ... where it is to be asked all the time */
#define RETRY_AFTER_S 8
#define LONG_RETRY_AFTER_S 20

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
	unsigned pages;
	char header[40];
	atomic_bool is_busy;
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
	if (web->is_busy && !web->has_told[number]) {
		web->has_told[number] = true;
		answer->status = 429;
		answer->headers = web->header;
		return;
	}
	if (!pv_str_equal(request->path, PV_STR("/n0")))
		return;
	for (unsigned i = 1; i <= web->pages; i++)
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
	else
		answer_host(ctx, request, answer);
	return true;
}

/* So long after it was told a request may come. */
static int64_t after_us(int64_t retry_after_s)
{
	return retry_after_s * 1000000 - FLEET_TOLERANCE_US;
}

static void set_busy(struct web_of_busy_hosts *web, unsigned retry_after_s)
{
	snprintf(web->header, sizeof(web->header), "Retry-After: %u\r\n",
	    retry_after_s);
	web->is_busy = true;
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
	is_good = ok(shortest_us >= after_us(RETRY_AFTER_S), "P1: %s (%.1f s)",
		      claim, (double)shortest_us / 1e6) &&
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

static void test_all_stop(
    struct fleet_scene *scene, struct web_of_busy_hosts *web)
{
	set_busy(web, RETRY_AFTER_S);
	fleet_scene_start(scene);
	all_tell(scene);
	for (unsigned i = 0; i < FLEET_WORKERS; i++)
		stop(scene, i);
	fleet_scene_start(scene);
	ends(scene, "when all have stopped, who goes on heeds a Retry-After");
}

static void test_some_stop(
    struct fleet_scene *scene, struct web_of_busy_hosts *web)
{
	set_busy(web, RETRY_AFTER_S);
	fleet_scene_start(scene);
	all_tell(scene);
	for (unsigned i = 1; i < FLEET_WORKERS; i++)
		stop(scene, i);
	ends(scene, "who takes over from workers that stop heeds it");
}

static void test_killed(
    struct fleet_scene *scene, struct web_of_busy_hosts *web)
{
	set_busy(web, RETRY_AFTER_S);
	fleet_scene_start(scene);
	all_tell(scene);
	fleet_scene_rest(1000);
	for (unsigned i = 1; i < FLEET_WORKERS; i++)
		fleet_scene_kill(scene, i);
	ends(scene, "who takes over from workers that were killed does");
}

/* How many requests came to hosts that had told it, from then on until their time was
 * over; and before that. */
static size_t count_early(
    struct fleet_scene *scene, int64_t from_us, size_t *before)
{
	struct log_view view = log_view_of(scene->server);
	size_t after = 0;
	*before = 0;
	for (size_t i = 0; i < view.count; i++) {
		const struct server_record *told = &view.records[i];
		if (told->status != 429)
			continue;
		for (size_t j = i + 1; j < view.count; j++) {
			const struct server_record *next = &view.records[j];
			if (!pv_str_equal(next->host, told->host) ||
			    next->begin_us - told->begin_us >=
				after_us(LONG_RETRY_AFTER_S))
				continue;
			*(next->begin_us < from_us ? before : &after) += 1;
		}
	}
	log_view_finish(&view);
	return after;
}

/* As soon as its lease is over, and the machine is not too busy. */
static void others_ask(struct fleet_scene *scene)
{
	int64_t until = fleet_scene_now_ms() + 4 * FLEET_TTL_MS;
	size_t before = 0;
	while (!before && fleet_scene_now_ms() < until) {
		fleet_scene_rest(100);
		count_early(scene, INT64_MAX, &before);
	}
}

/* Its earlier number is dead by then: others have asked its hosts. */
static bool has_joined(struct fleet_scene *scene)
{
	const char *answer = cluster_ask(&scene->cluster,
	    "SELECT count(*) > 0 FROM pavane.workers WHERE is_alive AND "
	    "place LIKE '%/w1'");
	return fleet_scene_says(scene, "it joins the fleet again") >= 1 &&
	       answer && *answer == 't';
}

static void joins_again(struct fleet_scene *scene)
{
	int64_t until = fleet_scene_now_ms() + HANG_MS;
	while (!has_joined(scene) && fleet_scene_now_ms() < until)
		fleet_scene_rest(10);
}

/* Of which it has asked some. */
static bool owns_some(struct fleet_scene *scene, const char *place)
{
	char sql[200];
	snprintf(sql, sizeof(sql),
	    "SELECT count(*) > 0 FROM pavane.clocks JOIN pavane.workers ON "
	    "id = worker WHERE name LIKE 'x%%' AND requests > 4 AND place "
	    "LIKE '%%/%s'",
	    place);
	int64_t until = fleet_scene_now_ms() + HANG_MS;
	while (fleet_scene_now_ms() < until) {
		const char *answer = cluster_ask(&scene->cluster, sql);
		if (answer && *answer == 't')
			return true;
		fleet_scene_rest(10);
	}
	return false;
}

/* Nobody hears of what a worker is told while it does not reach the database, and its
 * hosts go to others meanwhile. */
static void test_cut(struct fleet_scene *scene, struct web_of_busy_hosts *web)
{
	char url[128];
	size_t before;
	struct proxy *proxy = proxy_start(scene->cluster.port);
	if (!ok(proxy != NULL, "a line of its own can be had"))
		return;
	snprintf(url, sizeof(url), "postgresql://pavane@127.0.0.1:%u/crawls",
	    (unsigned)proxy_port(proxy));
	scene->urls[1] = url;
	web->pages = MANY_PAGES;
	fleet_scene_start(scene);
	fleet_scene_rest(1000);
	ok(owns_some(scene, "w1"), "a worker has some hosts");
	proxy_set(proxy, PROXY_CUTS, 0);
	fleet_scene_rest(200);
	set_busy(web, LONG_RETRY_AFTER_S);
	all_tell(scene);
	fleet_scene_rest(FLEET_TTL_MS);
	others_ask(scene);
	proxy_set(proxy, PROXY_CUTS, INT64_MAX);
	joins_again(scene);
	int64_t from_us = (fleet_scene_now_ms() + 500) * 1000;
	ok(fleet_scene_ends(scene), "the fleet finishes its crawl");
	size_t after = count_early(scene, from_us, &before);
	ok(before > 0, "its hosts are asked by others meanwhile (%zu requests)",
	    before);
	ok(!after,
	    "P1: what a worker was told without the database counts as soon as "
	    "it is back (%zu requests too early)",
	    after);
	proxy_stop(proxy);
}

typedef void (*test_fn)(
    struct fleet_scene *scene, struct web_of_busy_hosts *web);

int main(int count, char **arguments)
{
	static const test_fn tests[] = {
	    test_all_stop, test_some_stop, test_killed, test_cut};
	const char *absence = fleet_scene_absence();
	if (worker_is_meant(count, arguments))
		return worker_run(arguments);
	if (absence)
		return tap_skip_all(absence);
	size_t only = count == 2 ? strtoul(arguments[1], NULL, 10) : 0;
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		if (only && i + 1 != only)
			continue;
		struct web_of_busy_hosts web = {.pages = PAGES};
		struct fleet_scene scene;
		if (!fleet_scene_open_with(&scene, policy, answer, &web)) {
			ok(false, "PostgreSQL can be made to run here");
			break;
		}
		tests[i](&scene, &web);
		fleet_scene_close(&scene);
	}
	return tap_done();
}
