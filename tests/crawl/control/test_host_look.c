#include "crawl/control/host_look.h"

#include "frontier/scene.h"
#include "schedule/wait.h"

/* How a host is, of one that no crawl holds: by what the state has. */

/* Thursday, 2026-11-26, 12:00 UTC. */
#define NOW INT64_C(1795694400000)

static void test_kept(struct scene *scene)
{
	struct pavane_host_look look = {.size = 0};
	struct pv_host_state state = {
	    .pages = 12,
	    .bytes = 3400,
	    .failures = 2,
	    .until_wall_ms = NOW + 5000,
	    .wait_reason = PV_WAIT_DELAY,
	};
	scene_add_page(scene, "https://x.example/", 1);
	ok(pv_host_look_kept(
	       scene->store->database, PV_STR("x.example"), NOW, &look) &&
		!look.pages && !look.is_held && !look.waits_for[0],
	    "of a host that was never asked the state has nothing");
	scene_give_host(scene, scene_take_host(scene), state);
	ok(pv_host_look_kept(
	       scene->store->database, PV_STR("x.example"), NOW, &look) &&
		look.pages == 12 && look.bytes == 3400 && look.failures == 2,
	    "of one that was given back it has what was counted");
	ok(strcmp(look.waits_for, "delay") == 0 && look.wait_ms == 5000 &&
		look.until_ms == NOW + 5000 && look.waits_why[0],
	    "P4: and what it waits for, and until when");
	ok(look.size == sizeof(look) && !look.given_up[0] && !look.is_paused &&
		look.delay_ms < 0 && strcmp(look.robots, "unknown") == 0,
	    "what only a crawl knows is left open");
	ok(pv_host_look_kept(scene->store->database, PV_STR("x.example"),
	       NOW + 5000, &look) &&
		!look.waits_for[0] && !look.wait_ms && !look.until_ms,
	    "a wait that is over is none");
	ok(!pv_host_look_kept(
	       scene->store->database, PV_STR("y.example"), NOW, &look),
	    "there is no other host");
}

int main(void)
{
	struct scene scene;
	scene_init(&scene, 16);
	test_kept(&scene);
	scene_finish(&scene);
	return tap_done();
}
