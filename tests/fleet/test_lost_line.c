#include "fleet/line/proxy.h"
#include "fleet/scene/claims.h"

/* One worker does not reach the fleet's database any more, or all of them for a
 * moment, and nobody tells them. */

#define STALLS 3

/* Its hosts go to others, and it comes back when the line does. */
static void test_cut(struct fleet_scene *scene)
{
	char url[128];
	struct proxy *proxy = proxy_start(scene->cluster.port);
	if (!ok(proxy != NULL, "a line of its own can be had"))
		return;
	snprintf(url, sizeof(url), "postgresql://pavane@127.0.0.1:%u/crawls",
	    (unsigned)proxy_port(proxy));
	scene->urls[2] = url;
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	proxy_set(proxy, PROXY_CUTS, 0);
	fleet_scene_rest((int64_t)2 * FLEET_TTL_MS);
	proxy_set(proxy, PROXY_CUTS, INT64_MAX);
	fleet_ends(scene, 1);
	ok(fleet_scene_says(scene, "it joins the fleet again") >= 1,
	    "whose line was cut joins again under another number");
	proxy_stop(proxy);
}

/* Nothing is said on it any more, and nobody closes it. */
static void test_silence(struct fleet_scene *scene)
{
	char url[128];
	struct proxy *proxy = proxy_start(scene->cluster.port);
	if (!ok(proxy != NULL, "a line of its own can be had"))
		return;
	snprintf(url, sizeof(url), "postgresql://pavane@127.0.0.1:%u/crawls",
	    (unsigned)proxy_port(proxy));
	scene->urls[1] = url;
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	pid_t silent = scene->workers[1];
	proxy_set(proxy, PROXY_STOPS, 0);
	scene->workers[1] = 0;
	ok(fleet_scene_ends(scene), "the others finish its crawl without it");
	scene->workers[1] = silent;
	proxy_set(proxy, PROXY_CUTS, INT64_MAX);
	fleet_ends(scene, 1);
	proxy_stop(proxy);
}

/* It stands still for so long that leases end, again and again, and nobody knows of
 * it: each worker goes on where it was. */
static void test_stalls(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	for (unsigned i = 0; i < STALLS; i++) {
		fleet_reaches(scene, 20 + i * 20);
		cluster_freeze(&scene->cluster);
		fleet_scene_rest(FLEET_TTL_MS + i * 100);
		cluster_thaw(&scene->cluster);
	}
	fleet_ends(scene, STALLS * FLEET_WORKERS);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {
	    test_cut, test_silence, test_stalls, NULL};
	return fleet_main(count, arguments, tests);
}
