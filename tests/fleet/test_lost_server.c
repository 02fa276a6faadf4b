#include "fleet/line/proxy.h"
#include "fleet/scene/claims.h"

/* The database of a fleet is lost, and comes back: at once, on another server, or for
 * one of the workers alone. */

/* All of its processes end at once. Nothing that it had acknowledged is lost. */
static void test_kill(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	cluster_kill(&scene->cluster);
	fleet_scene_rest(FLEET_TTL_MS);
	size_t asked = server_log_count(scene->server);
	fleet_scene_rest(FLEET_TTL_MS / 2);
	ok(server_log_count(scene->server) == asked,
	    "nobody asks for anything behind the end of its lease");
	ok(cluster_start(&scene->cluster), "PostgreSQL starts again");
	fleet_ends(scene, FLEET_WORKERS);
}

/* Each drops its lease, since the standby may not know all. */
static void promote(struct fleet_scene *scene, struct cluster *standby)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	cluster_kill(&scene->cluster);
	ok(cluster_promote(standby), "the standby is promoted");
	struct cluster lost = scene->cluster;
	scene->cluster = *standby;
	*standby = lost;
	fleet_ends(scene, FLEET_WORKERS);
	ok(fleet_scene_says(scene, "it joins the fleet again") >= FLEET_WORKERS,
	    "each worker joins again under another number");
}

static void test_promotion(struct fleet_scene *scene)
{
	struct cluster standby;
	if (!cluster_follow(&standby, &scene->cluster, true)) {
		tap_skip("the standby is promoted",
		    "PostgreSQL cannot have a standby here");
		return;
	}
	snprintf(scene->url, sizeof(scene->url),
	    "postgresql://pavane@127.0.0.1:%u,127.0.0.1:%u/crawls",
	    scene->cluster.port, standby.port);
	promote(scene, &standby);
	cluster_remove(&standby);
}

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

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {
	    test_kill, test_promotion, test_cut, test_silence, NULL};
	return fleet_main(count, arguments, tests);
}
