#include "fleet/scene/claims.h"

/* Workers that stand still for so long that others have their hosts, and workers that
 * are asked to stop. */

static void halt(const struct fleet_scene *scene, unsigned number, int signal)
{
	kill(scene->workers[number], signal);
}

static void joins_again(struct fleet_scene *scene)
{
	const char *dead = cluster_ask(&scene->cluster,
	    "SELECT count(*) FROM pavane.workers WHERE NOT is_alive");
	ok(dead && strtol(dead, NULL, 10) >= 1, "it was reaped");
	ok(fleet_scene_says(scene, "it joins the fleet again") >= 1,
	    "and joins again under another number");
}

/* When it goes on, its hosts are others', which ask them as fast as they may: a
 * request of its own would come too soon. */
static void test_halt(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	halt(scene, 0, SIGSTOP);
	fleet_scene_rest((int64_t)2 * FLEET_TTL_MS);
	halt(scene, 0, SIGCONT);
	fleet_ends(scene, 1);
	joins_again(scene);
}

/* Nobody else asks for anything any more: each request would be its own. */
static void test_long_halt(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	pid_t halted = scene->workers[0];
	halt(scene, 0, SIGSTOP);
	scene->workers[0] = 0;
	ok(fleet_scene_ends(scene), "the others finish its crawl without it");
	size_t asked = server_log_count(scene->server);
	scene->workers[0] = halted;
	halt(scene, 0, SIGCONT);
	fleet_ends(scene, 1);
	ok(server_log_count(scene->server) == asked,
	    "who was halted asks for nothing behind the end of its lease");
	joins_again(scene);
}

static void signal_all(struct fleet_scene *scene)
{
	for (unsigned i = 0; i < FLEET_WORKERS; i++)
		kill(scene->workers[i], SIGTERM);
}

static enum pavane_answer order_stop(struct fleet_scene *scene)
{
	struct pavane_fleet_order order =
	    PAVANE_INIT(struct pavane_fleet_order);
	order.fleet = scene->url;
	order.name = "scene";
	return pavane_fleet_stop(&order);
}

static void order_all(struct fleet_scene *scene)
{
	ok(order_stop(scene) == PAVANE_YES, "all workers are asked to stop");
}

/* Whether all end in time. */
static bool all_stop(
    struct fleet_scene *scene, void (*ask)(struct fleet_scene *scene))
{
	int64_t until =
	    fleet_scene_now_ms() + FLEET_DRAIN_MS + FLEET_STOP_GRACE_MS;
	bool is_good = true;
	ask(scene);
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		if (scene->workers[i] <= 0)
			continue;
		int64_t left = until - fleet_scene_now_ms();
		int status =
		    worker_wait(scene->workers[i], left > 0 ? left : 0);
		if (status >= 0)
			scene->workers[i] = 0;
		is_good = is_good && status >= 0;
	}
	printf(
	    "# %lld ms were left\n", (long long)(until - fleet_scene_now_ms()));
	return is_good;
}

static void test_stop(
    struct fleet_scene *scene, void (*ask)(struct fleet_scene *scene))
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 40);
	ok(all_stop(scene, ask),
	    "all that are asked to stop end within two seconds of their drain "
	    "time");
	struct fleet_findings found = fleet_scene_find(scene);
	ok(found.pages < scene->reachable, "and something is left to do");
	fleet_scene_start_one(scene, 0);
	fleet_scene_start_one(scene, 1);
	fleet_ends(scene, 0);
}

static void test_signals(struct fleet_scene *scene)
{
	test_stop(scene, signal_all);
}

static void test_order(struct fleet_scene *scene)
{
	test_stop(scene, order_all);
}

/* It was reaped, and hears of the order when it joins again. */
static void test_late_order(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	pid_t halted = scene->workers[0];
	halt(scene, 0, SIGSTOP);
	fleet_scene_rest((int64_t)2 * FLEET_TTL_MS);
	scene->workers[0] = 0;
	ok(all_stop(scene, order_all), "the others end");
	scene->workers[0] = halted;
	halt(scene, 0, SIGCONT);
	ok(fleet_scene_ends_by(scene, PAVANE_STOPPED),
	    "who was away when all were asked to stop does, too");
	joins_again(scene);
	fleet_scene_start(scene);
	fleet_ends(scene, 1);
}

/* Nobody is heard of, as between two policies. */
static void test_order_in_silence(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	for (unsigned i = 0; i < FLEET_WORKERS; i++)
		halt(scene, i, SIGSTOP);
	cluster_ask(&scene->cluster,
	    "UPDATE pavane.workers SET seen = seen - interval '1 hour'");
	ok(order_stop(scene) == PAVANE_NO, "no worker is heard of");
	for (unsigned i = 0; i < FLEET_WORKERS; i++)
		halt(scene, i, SIGCONT);
	ok(fleet_scene_ends_by(scene, PAVANE_STOPPED),
	    "but all that come back stop");
	fleet_scene_start(scene);
	fleet_ends(scene, FLEET_WORKERS);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {test_halt, test_long_halt,
	    test_signals, test_order, test_late_order, test_order_in_silence,
	    NULL};
	return fleet_main(count, arguments, tests);
}
