#include "crawl/simulated_clock.h"

#include "tap.h"

/* The clock of simulations, by whose word they are judged. */

struct scene {
	uv_loop_t loop;
	struct pv_clock *clock;
	int64_t woken_at; /* -1: not */
	unsigned count;
	int64_t happened_at[8];
	unsigned numbers[8];
};

struct thing {
	struct simulated_event event; /* the first */
	struct scene *scene;
	unsigned number;
};

static void on_wake(void *ctx)
{
	struct scene *scene = ctx;
	scene->woken_at = simulated.now_ms;
}

static void happen(struct simulated_event *event)
{
	struct thing *thing = (struct thing *)event;
	struct scene *scene = thing->scene;
	scene->happened_at[scene->count] = simulated.now_ms;
	scene->numbers[scene->count++] = thing->number;
}

static void scene_open(struct scene *scene)
{
	*scene = (struct scene){.woken_at = -1};
	simulated.now_ms = 0;
	uv_loop_init(&scene->loop);
	scene->clock = simulated_clock.create(&scene->loop, on_wake, scene);
}

static void scene_close(struct scene *scene)
{
	simulated_clock.destroy(scene->clock);
	uv_run(&scene->loop, UV_RUN_DEFAULT);
	uv_loop_close(&scene->loop);
}

static void test_events(void)
{
	static const int64_t waits[] = {30, 10, 20, 10, 40, 5};
	static const unsigned order[] = {5, 1, 3, 2, 4};
	struct scene scene;
	struct thing things[6];
	bool is_in_order = true;
	scene_open(&scene);
	for (unsigned i = 0; i < 6; i++) {
		things[i] = (struct thing){.scene = &scene, .number = i};
		simulated_add(&things[i].event, waits[i], happen);
	}
	simulated_remove(&things[0].event);
	simulated_remove(&things[0].event);
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	for (unsigned i = 0; i < 5; i++)
		is_in_order = is_in_order && scene.numbers[i] == order[i] &&
			      scene.happened_at[i] == waits[order[i]];
	ok(scene.count == 5 && is_in_order,
	    "events happen in their order, each at its time, and none that was "
	    "removed");
	scene_close(&scene);
}

static void test_waking(void)
{
	struct scene scene;
	struct thing thing = {.scene = &scene};
	scene_open(&scene);
	simulated_clock.wake_in(scene.clock, 3 * SIMULATED_DAY_MS, false);
	simulated_add(&thing.event, SIMULATED_DAY_MS, happen);
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	ok(scene.happened_at[0] == SIMULATED_DAY_MS &&
		scene.woken_at == 3 * SIMULATED_DAY_MS,
	    "time goes to the next event and the next deadline at once");
	struct pv_time now = simulated_clock.now(scene.clock);
	ok(now.monotonic_ms == 3 * SIMULATED_DAY_MS &&
		now.wall_ms - now.monotonic_ms == SIMULATED_BEGAN_WALL_MS,
	    "and the clock on the wall with it");
	scene_close(&scene);
}

static void test_work(void)
{
	struct scene scene;
	struct thing thing = {.scene = &scene};
	scene_open(&scene);
	simulated_clock.wake_in(scene.clock, 10, true);
	simulated_add(&thing.event, 5, happen);
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	ok(!scene.count && scene.woken_at < 0 && !simulated.now_ms,
	    "while threads are at work no time goes by");
	simulated_remove(&thing.event);
	simulated_add(&thing.event, 0, happen);
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	ok(scene.count == 1 && scene.woken_at < 0 && !simulated.now_ms,
	    "but what is due already happens");
	simulated_add(&thing.event, 5, happen);
	simulated_clock.wake_in(scene.clock, 10, false);
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	ok(scene.count == 2 && scene.woken_at < 0 && simulated.now_ms == 5,
	    "and then no more than to what comes first, once a turn");
	uv_run(&scene.loop, UV_RUN_DEFAULT);
	ok(scene.woken_at == 10, "so that each turn sees what happened in it");
	scene_close(&scene);
}

int main(void)
{
	test_events();
	test_waking();
	test_work();
	return tap_done();
}
