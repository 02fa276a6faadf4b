#include <stdlib.h>

#include "fleet/scene/claims.h"

/* Workers that come when others own all hosts get their part at once, and not with the
 * next beat, which in earnest comes ten seconds later. */

#define HOSTS 64
#define PAGES 300 /* of each host: more than are asked for here */
#define TTL_MS 60000
#define SOON_MS 8000 /* the next beat comes after twenty seconds */
#define PATIENT_MS 30000

#define POLICY                                                       \
	"version: 1\n"                                               \
	"name: scene\n"                                              \
	"seeds: [\"%s\"]\n"                                          \
	"scope: {hosts: any, sitemaps: false}\n"                     \
	"rate: {max_rate: 400, interval: 200ms, concurrency: 64}\n"  \
	"politeness: {delay: 100ms, delay_factor: 0, ip_delay: 0}\n" \
	"fetch: {private: all, resolve: {\"*.test\": 127.0.1.1}}\n"  \
	"output: {}\n"

#define ALL_HOSTS "http://h{0..63}.test:PORT/p1"
#define ONE_HOST "http://h0.test:PORT/p1"

/* The first page of each host leads to its others, and that of the first host to all
 * hosts. */
static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	uint16_t port = *(const uint16_t *)ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		answer->type = "text/plain";
	else if (pv_str_equal(request->path, PV_STR("/p1"))) {
		for (unsigned i = 2; i <= PAGES; i++)
			pv_buf_append_format(
			    answer->own_body, "<a href=/p%u>page</a>\n", i);
		for (unsigned i = 1; i < HOSTS; i++)
			pv_buf_append_format(answer->own_body,
			    "<a href=http://h%u.test:%u/p1>host</a>\n", i,
			    (unsigned)port);
	}
	return true;
}

static long count_alive(struct fleet_scene *scene, const char *those)
{
	char sql[300];
	snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM pavane.workers WHERE is_alive %s", those);
	const char *text = cluster_ask(&scene->cluster, sql);
	return text ? strtol(text, NULL, 10) : -1;
}

static bool await(
    struct fleet_scene *scene, const char *those, int64_t timeout_ms)
{
	int64_t until = fleet_scene_now_ms() + timeout_ms;
	while (count_alive(scene, those) < FLEET_WORKERS) {
		if (fleet_scene_now_ms() >= until)
			return false;
		fleet_scene_rest(50);
	}
	return true;
}

static void share(struct fleet_scene *scene)
{
	bool are_here =
	    ok(await(scene, "", PATIENT_MS), "all workers have come");
	bool is_shared = await(scene,
	    "AND share_of > 0 AND EXISTS(SELECT 1 FROM pavane.clocks WHERE "
	    "worker = workers.id)",
	    SOON_MS);
	if (!ok(is_shared,
		"within %d seconds each has hosts, and a share of the rate",
		SOON_MS / 1000) ||
	    !are_here)
		fleet_scene_show(scene);
}

static void test_late(struct fleet_scene *scene)
{
	fleet_scene_start_one(scene, 0);
	fleet_reaches(scene, 3);
	fleet_scene_start(scene);
	share(scene);
}

static void test_together(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 1);
	share(scene);
}

static void run(const char *seeds, void (*test)(struct fleet_scene *scene))
{
	struct fleet_scene scene;
	char policy[1000];
	uint16_t port = 0;
	snprintf(policy, sizeof(policy), POLICY, seeds);
	if (!ok(fleet_scene_open_with(&scene, policy, answer, &port),
		"PostgreSQL can be made to run here"))
		return;
	port = server_port(scene.server);
	scene.ttl_ms = TTL_MS;
	scene.reachable = (size_t)HOSTS * PAGES;
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
	run(ALL_HOSTS, test_late);
	/* The first one takes all; and there is one host when the last one comes. */
	run(ALL_HOSTS, test_together);
	run(ONE_HOST, test_together);
	return tap_done();
}
