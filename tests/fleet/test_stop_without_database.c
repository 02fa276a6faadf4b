#include "fleet/scene/claims.h"

/* Workers that are asked to stop while the fleet's database is away, or says nothing:
 * they end in time, and what it has not heard of it hears of by the next run. */

/* Whether all end in time; how long that took. */
static bool all_end(struct fleet_scene *scene, int64_t *took_ms)
{
	int64_t began = fleet_scene_now_ms();
	int64_t until = began + FLEET_DRAIN_MS + FLEET_STOP_GRACE_MS;
	bool is_good = true;
	for (unsigned i = 0; i < FLEET_WORKERS; i++)
		kill(scene->workers[i], SIGTERM);
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		int64_t left = until - fleet_scene_now_ms();
		bool has_ended =
		    worker_wait(scene->workers[i], left > 0 ? left : 0) >= 0;
		if (has_ended)
			scene->workers[i] = 0;
		is_good = is_good && has_ended;
	}
	*took_ms = fleet_scene_now_ms() - began;
	return is_good;
}

static void stop(struct fleet_scene *scene, const char *claim)
{
	int64_t took_ms;
	fleet_scene_rest(300);
	bool is_good = all_end(scene, &took_ms);
	ok(is_good, "P6: %s (%lld ms)", claim, (long long)took_ms);
}

static void test_away(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 40);
	cluster_kill(&scene->cluster);
	stop(scene, "workers end within two seconds of their drain time where "
		    "there is no database");
	cluster_start(&scene->cluster);
	fleet_scene_start(scene);
	fleet_ends(scene, FLEET_WORKERS);
}

/* Its connections stand, and nothing comes by them. */
static void test_silent(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 40);
	cluster_freeze(&scene->cluster);
	stop(scene, "the same where it does not answer");
	cluster_thaw(&scene->cluster);
	fleet_scene_start(scene);
	fleet_ends(scene, FLEET_WORKERS);
}

static void has_told(struct fleet_scene *scene, const char *text)
{
	int64_t until = fleet_scene_now_ms() + 10 * FLEET_TTL_MS;
	while (!fleet_scene_says(scene, text) && fleet_scene_now_ms() < until)
		fleet_scene_rest(10);
}

/* With another policy it would wait for all of them to be dead. */
static void test_waiting_start(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 20);
	for (unsigned i = 0; i < FLEET_WORKERS; i++)
		fleet_scene_kill(scene, i);
	fleet_scene_set_policy(scene, ", max_url: 1999", "");
	fleet_scene_start_one(scene, 0);
	has_told(scene, "counted as living");
	kill(scene->workers[0], SIGTERM);
	int status = worker_wait(scene->workers[0], 10 * FLEET_TTL_MS);
	const char *living = cluster_ask(&scene->cluster,
	    "SELECT count(*) FROM pavane.workers WHERE is_alive");
	ok(status >= 0 && living && strtol(living, NULL, 10) >= 3,
	    "P6: a start that waits for a sign of life of other workers stops "
	    "at once");
	scene->workers[0] = 0;
	fleet_scene_start(scene);
	fleet_ends(scene, FLEET_WORKERS);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {
	    test_away, test_silent, test_waiting_start, NULL};
	return fleet_main(count, arguments, tests);
}
