#include "fleet/line/network.h"
#include "fleet/scene/claims.h"

/* The fleet's database is in a network of its own, and the cable to it is pulled:
 * what is sent vanishes, and no connection is closed. Who reaches it by its socket
 * stands beside it and keeps the line. */

static bool move_away(struct fleet_scene *scene, pid_t network)
{
	struct cluster *cluster = &scene->cluster;
	if (!cluster_ask(cluster, "ALTER SYSTEM SET listen_addresses = '*'"))
		return false;
	cluster_stop(cluster);
	cluster->network = network;
	return cluster_start(cluster);
}

/* Those reach it by the cable that are a bit of the number. */
static void test_unplugged(struct fleet_scene *scene, unsigned which)
{
	char near_url[300], far_url[128];
	pid_t network = network_make();
	if (!ok(network && move_away(scene, network),
		"the database can be had in another network"))
		return;
	snprintf(near_url, sizeof(near_url),
	    "postgresql:///crawls?host=%s&port=%u&user=pavane",
	    scene->cluster.directory, (unsigned)scene->cluster.port);
	snprintf(far_url, sizeof(far_url),
	    "postgresql://pavane@" NETWORK_ADDRESS ":%u/crawls",
	    (unsigned)scene->cluster.port);
	unsigned losses = 0;
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		scene->urls[i] = which >> i & 1 ? far_url : near_url;
		losses += which >> i & 1;
	}
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	bool is_cut = network_unplug(network);
	fleet_scene_rest((int64_t)2 * FLEET_TTL_MS);
	is_cut = network_plug(network) && is_cut;
	ok(is_cut, "the cable is pulled, and put back");
	fleet_ends(scene, losses);
	network_remove(network);
}

static void test_one(struct fleet_scene *scene)
{
	test_unplugged(scene, 1u << 2);
	ok(fleet_scene_says(scene, "it joins the fleet again") >= 1,
	    "who was cut off joins again under another number");
}

/* Nobody is left who could take what they hold. */
static void test_all(struct fleet_scene *scene)
{
	test_unplugged(scene, (1u << FLEET_WORKERS) - 1);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {test_one, test_all, NULL};
	const char *absence =
	    worker_is_meant(count, arguments) ? NULL : network_enter();
	return absence ? tap_skip_all(absence)
		       : fleet_main(count, arguments, tests);
}
