#include "fleet/scene/claims.h"

/* The database of a fleet is lost, and comes back, or another server takes its
 * place. */

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

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {test_kill, test_promotion, NULL};
	return fleet_main(count, arguments, tests);
}
