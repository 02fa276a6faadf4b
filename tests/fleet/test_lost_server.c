#include "fleet/line/proxy.h"
#include "fleet/scene/claims.h"

/* The database of a fleet is lost, and comes back, or another server takes its
 * place. */

#define SAY_MS 30000

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

static void write_url(char *url, size_t size, uint16_t first, uint16_t second)
{
	snprintf(url, size,
	    "postgresql://pavane@127.0.0.1:%u,127.0.0.1:%u/crawls",
	    (unsigned)first, (unsigned)second);
}

static void test_promotion(struct fleet_scene *scene)
{
	struct cluster standby;
	if (!cluster_follow(&standby, &scene->cluster, true)) {
		tap_skip("the standby is promoted",
		    "PostgreSQL cannot have a standby here");
		return;
	}
	write_url(
	    scene->url, sizeof(scene->url), scene->cluster.port, standby.port);
	promote(scene, &standby);
	cluster_remove(&standby);
}

/* Three do not reach the primary any more, which lives on for the fourth: what that
 * one says there no standby confirms. In the end the primary is gone for all. */
static void divide(
    struct fleet_scene *scene, struct cluster *standby, struct proxy *proxy)
{
	char direct[sizeof(scene->url)];
	write_url(direct, sizeof(direct), scene->cluster.port, standby->port);
	write_url(
	    scene->url, sizeof(scene->url), proxy_port(proxy), standby->port);
	scene->urls[3] = direct;
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	proxy_set(proxy, PROXY_CUTS, 0);
	ok(cluster_promote(standby),
	    "a standby is promoted beside its primary");
	fleet_scene_rest((int64_t)3 * FLEET_TTL_MS);
	cluster_kill(&scene->cluster);
	struct cluster lost = scene->cluster;
	scene->cluster = *standby;
	*standby = lost;
	fleet_ends(scene, FLEET_WORKERS);
	ok(fleet_scene_says(scene, "it joins the fleet again") >= FLEET_WORKERS,
	    "each worker joins again under another number");
}

static void test_division(struct fleet_scene *scene)
{
	struct cluster standby;
	if (!cluster_follow(&standby, &scene->cluster, true)) {
		tap_skip("a standby is promoted beside its primary",
		    "PostgreSQL cannot have a standby here");
		return;
	}
	struct proxy *proxy = proxy_start(scene->cluster.port);
	if (ok(proxy != NULL, "a line of its own can be had")) {
		divide(scene, &standby, proxy);
		proxy_stop(proxy);
	}
	cluster_remove(&standby);
}

/* Claims that each worker says so; they try again every few seconds. */
static void all_say(
    struct fleet_scene *scene, const char *text, const char *claim)
{
	int64_t until = fleet_scene_now_ms() + SAY_MS;
	while (fleet_scene_says(scene, text) < FLEET_WORKERS &&
	       fleet_scene_now_ms() < until)
		fleet_scene_rest(100);
	ok(fleet_scene_says(scene, text) >= FLEET_WORKERS, "%s", claim);
}

/* It comes back as one that a start refuses: each worker waits until somebody has
 * mended it. */
static void test_unfit(struct fleet_scene *scene)
{
	struct cluster *cluster = &scene->cluster;
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	cluster_set(cluster, "fsync", "off");
	cluster_kill(cluster);
	ok(cluster_start(cluster), "PostgreSQL starts again");
	all_say(
	    scene, "set fsync = on", "each worker tells what the server lacks");
	cluster_ask(cluster, "UPDATE pavane.version SET number = number + 1");
	cluster_set(cluster, "fsync", "on");
	all_say(scene, "are of another version of pavane",
	    "and that its tables are others");
	cluster_ask(cluster, "UPDATE pavane.version SET number = number - 1");
	fleet_ends(scene, FLEET_WORKERS);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {
	    test_kill, test_promotion, test_division, test_unfit, NULL};
	return fleet_main(count, arguments, tests);
}
