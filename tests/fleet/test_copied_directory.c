#include "fleet/scene/claims.h"

/* A worker's directory is copied, as from a backup, and another worker begins in the
 * copy while the first one goes on: they are two, and never own the same. */

static bool copy(struct fleet_scene *scene)
{
	char command[2000];
	snprintf(command, sizeof(command), "cp -a '%s/w0' '%s/w3'",
	    scene->home.path, scene->home.path);
	kill(scene->workers[0], SIGSTOP); /* all of one moment */
	bool is_copied = system(command) == 0;
	kill(scene->workers[0], SIGCONT);
	return is_copied;
}

static void test_copy(struct fleet_scene *scene)
{
	for (unsigned i = 0; i < 3; i++)
		fleet_scene_start_one(scene, i);
	fleet_reaches(scene, 30);
	ok(copy(scene), "a worker's directory is copied");
	fleet_scene_start_one(scene, 3);
	bool is_good =
	    ok(fleet_scene_ends(scene), "the fleet finishes its crawl");
	struct fleet_findings found = fleet_scene_find(scene);
	is_good = fleet_judge_gaps(&found) && is_good;
	is_good = ok(found.pages == scene->reachable && found.strays == 0,
		      "P6: each page that can be reached is asked for (%zu)",
		      found.pages) &&
		  is_good;
	is_good = ok(found.page_repeats == 0, "P1: and none twice (%zu)",
		      found.page_repeats) &&
		  is_good;
	const char *workers =
	    cluster_ask(&scene->cluster, "SELECT count(*) FROM pavane.workers");
	is_good = ok(workers && strcmp(workers, "4") == 0,
		      "they are four workers (%s)", workers ? workers : "?") &&
		  is_good;
	if (!is_good)
		fleet_scene_show(scene);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {test_copy, NULL};
	return fleet_main(count, arguments, tests);
}
