#include "crawl/patience.h"
#include "fleet/scene/claims.h"

/* A site without end, whose pages are all the same: however often its host changes
 * its owner, it has one allowance. */

#define ALLOWANCE 40
#define ITEMS 400
#define STOPPED_AT 15
#define KILLED_AT 30

/* What a worker has in flight when it is killed, or has not passed on yet, is asked
 * again, and its successor does not know what came of it. With sanitizers all that
 * it has asked for in its short life may be among that. */
#define IN_FLIGHT (IS_SANITIZED ? KILLED_AT - STOPPED_AT : 4)

static const char page_policy[] =
    "version: 1\n"
    "name: scene\n"
    "seeds: [\"http://127.0.1.1:PORT/\"]\n"
    "scope: {sitemaps: false, hosts: same, traps: {same_body: 40}}\n"
    "rate: {max_rate: 100000, interval: 1s, concurrency: 40}\n"
    "politeness: {delay: 60ms, delay_factor: 0, ip_delay: 0}\n"
    "stop: {drain_timeout: 2s}\n"
    "fetch: {private: all}\n"
    "output: {}\n";

static bool answer_page(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		return false;
	if (!pv_str_equal(request->path, PV_STR("/"))) {
		answer->body = "There is nothing here.";
		return true;
	}
	for (unsigned i = 0; i < ITEMS; i++)
		pv_buf_append_format(
		    answer->own_body, "<a href=/item/%u>item</a>\n", i);
	return true;
}

static size_t count_items(struct fleet_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, NULL, "/item/*");
	size_t count = view.count;
	log_view_finish(&view);
	return count;
}

static bool has_items(struct fleet_scene *scene, size_t count)
{
	int64_t until = fleet_scene_now_ms() + HANG_MS;
	while (count_items(scene) < count && fleet_scene_now_ms() < until)
		fleet_scene_rest(5);
	return count_items(scene) >= count;
}

/* So many pages are done, as the database knows: what it does not know yet is lost
 * with the worker. */
static bool are_passed_on(struct fleet_scene *scene, long count)
{
	int64_t until = fleet_scene_now_ms() + HANG_MS;
	const char *done = NULL;
	do {
		fleet_scene_rest(20);
		done = cluster_ask(&scene->cluster,
		    "SELECT count(*) FROM pavane.addresses WHERE state = 2");
	} while ((!done || strtol(done, NULL, 10) < count) &&
		 fleet_scene_now_ms() < until);
	return done && strtol(done, NULL, 10) >= count;
}

/* One worker after the other, in directories of their own. */
static void test_owners(struct fleet_scene *scene)
{
	fleet_scene_start_one(scene, 0);
	has_items(scene, STOPPED_AT);
	kill(scene->workers[0], SIGTERM);
	ok(worker_wait(scene->workers[0], HANG_MS) >= 0,
	    "a worker is stopped before the allowance is used up");
	scene->workers[0] = 0;
	fleet_scene_start_one(scene, 1);
	ok(has_items(scene, KILLED_AT), "the next one goes on");
	fleet_scene_kill(scene, 1);
	fleet_scene_start_one(scene, 2);
	ok(fleet_scene_ends(scene),
	    "after that is killed a third one finishes the crawl");
	size_t count = count_items(scene);
	if (!ok(count >= ALLOWANCE && count <= ALLOWANCE + IN_FLIGHT,
		"all together have asked for as many pages as one would have "
		"(%zu, of %d)",
		count, ALLOWANCE))
		fleet_scene_show(scene);
}

/* It comes back to who had it first, whose own counts are older. */
static void test_return(struct fleet_scene *scene)
{
	fleet_scene_start_one(scene, 0);
	has_items(scene, STOPPED_AT);
	fleet_scene_kill(scene, 0);
	fleet_scene_start_one(scene, 1);
	has_items(scene, KILLED_AT);
	are_passed_on(scene, KILLED_AT - IN_FLIGHT);
	fleet_scene_kill(scene, 1);
	fleet_scene_start_one(scene, 0);
	ok(fleet_scene_ends(scene),
	    "a host comes back to the worker that had it first");
	size_t count = count_items(scene);
	if (!ok(count >= ALLOWANCE && count <= ALLOWANCE + 2 * IN_FLIGHT,
		"which knows what was counted meanwhile (%zu, of %d)", count,
		ALLOWANCE))
		fleet_scene_show(scene);
}

/* Ever new hosts of a site, each of which links to the next ones. */
#define HOSTS_ALLOWED 10

static const char site_policy[] =
    "version: 1\n"
    "name: scene\n"
    "seeds: [\"http://a0.site.test:PORT/\"]\n"
    "scope: {sitemaps: false, hosts: site, traps: {subdomains: 10}}\n"
    "rate: {max_rate: 100000, interval: 1s, concurrency: 40}\n"
    "politeness: {delay: 20ms, delay_factor: 0, ip_delay: 0}\n"
    "stop: {drain_timeout: 2s}\n"
    "fetch: {private: all, resolve: {\"*.site.test\": 127.0.0.1}}\n"
    "output: {}\n";

static bool answer_site(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct pv_str own = server_header(request->headers, "host");
	struct pv_str port = pv_str_from(own, pv_str_find(own, ':'));
	unsigned long number = strtoul(request->host.ptr + 1, NULL, 10);
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		return false;
	answer->head_pace.delay_ms = 250;
	for (unsigned i = 1; i <= 2; i++)
		pv_buf_append_format(answer->own_body,
		    "<a href=\"http://a%lu.site.test%.*s/\">next</a>\n",
		    number + i, PV_STR_ARG(port));
	return true;
}

static size_t count_hosts(struct fleet_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, NULL, "/");
	size_t count = log_key_count(&view, LOG_BY_HOST);
	log_view_finish(&view);
	return count;
}

static void await_hosts(struct fleet_scene *scene, size_t count)
{
	int64_t until = fleet_scene_now_ms() + HANG_MS;
	while (count_hosts(scene) < count && fleet_scene_now_ms() < until)
		fleet_scene_rest(5);
}

static void test_site(struct fleet_scene *scene)
{
	fleet_scene_start_one(scene, 0);
	await_hosts(scene, 4);
	kill(scene->workers[0], SIGTERM);
	worker_wait(scene->workers[0], HANG_MS);
	scene->workers[0] = 0;
	fleet_scene_start_one(scene, 1);
	await_hosts(scene, 7);
	fleet_scene_kill(scene, 1);
	fleet_scene_start_one(scene, 2);
	ok(fleet_scene_ends(scene),
	    "of a site of ever new hosts three workers ask one after the "
	    "other");
	size_t count = count_hosts(scene);
	if (!ok(count >= HOSTS_ALLOWED && count <= HOSTS_ALLOWED + 1,
		"and together for as many hosts as one would have (%zu)",
		count))
		fleet_scene_show(scene);
}

static void run(void (*test)(struct fleet_scene *scene), const char *policy,
    server_answer_fn answer)
{
	struct fleet_scene scene;
	if (!fleet_scene_open_with(&scene, policy, answer, NULL)) {
		ok(false, "PostgreSQL can be made to run here");
		return;
	}
	test(&scene);
	fleet_scene_close(&scene);
}

int main(int count, char **arguments)
{
	const char *absence = fleet_scene_absence();
	if (worker_is_meant(count, arguments))
		return worker_run(arguments);
	if (absence)
		return tap_skip_all(absence);
	run(test_owners, page_policy, answer_page);
	run(test_return, page_policy, answer_page);
	run(test_site, site_policy, answer_site);
	return tap_done();
}
