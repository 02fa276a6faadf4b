#include "fleet/scene/claims.h"

/* Workers are killed without a word in the midst of a crawl. */

#define KILL_EACH_MS 3000

/* It takes up its hosts again: what it had passed on nobody asks for twice. */
static void test_kill_and_start(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	fleet_scene_kill(scene, 1);
	fleet_scene_start_one(scene, 1);
	fleet_reaches(scene, 60);
	fleet_scene_kill(scene, 2);
	fleet_scene_start_one(scene, 2);
	fleet_ends(scene, 2);
}

/* Its hosts go to the others. */
static void test_kill(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	fleet_scene_kill(scene, 3);
	fleet_ends(scene, 1);
	const char *alive = cluster_ask(&scene->cluster,
	    "SELECT count(*) FROM pavane.clocks JOIN pavane.workers ON "
	    "workers.id = clocks.worker AND NOT is_alive");
	ok(alive && strcmp(alive, "0") == 0, "who was killed owns nothing");
}

/* One after the other, until there is little left. */
static void test_kills(struct fleet_scene *scene)
{
	unsigned losses = 0;
	size_t enough = scene->reachable * 9 / 10;
	fleet_scene_start(scene);
	while (losses < 1000 && server_log_count(scene->server) < enough) {
		unsigned number = losses++ % FLEET_WORKERS;
		fleet_scene_rest(KILL_EACH_MS);
		fleet_scene_kill(scene, number);
		fleet_scene_start_one(scene, number);
	}
	fleet_ends(scene, losses);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {
	    test_kill_and_start, test_kill, NULL};
	static const fleet_test_fn torture[] = {
	    test_kills, test_kill_and_start, test_kill, NULL};
	bool is_torture = getenv("PAVANE_FLEET_KILLS") != NULL;
	return fleet_main(count, arguments, is_torture ? torture : tests);
}
