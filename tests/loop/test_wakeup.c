#include "loop/wakeup.h"

#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>

#include "tap.h"

struct scene {
	uv_loop_t loop;
	struct pv_wakeup bell;
	unsigned heard;
	unsigned stop_at;
};

static void on_wake(void *ctx)
{
	struct scene *scene = ctx;
	if (++scene->heard == scene->stop_at)
		uv_stop(&scene->loop);
}

static void scene_init(struct scene *scene)
{
	*scene = (struct scene){.stop_at = 1};
	uv_loop_init(&scene->loop);
	ok(pv_wakeup_open(&scene->bell, &scene->loop, on_wake, scene),
	    "a bell can be had");
}

static bool scene_finish(struct scene *scene)
{
	pv_wakeup_close(&scene->bell);
	uv_run(&scene->loop, UV_RUN_DEFAULT);
	return uv_loop_close(&scene->loop) == 0;
}

static void test_once(void)
{
	struct scene scene;
	scene_init(&scene);
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	ok(scene.heard == 0, "nobody hears what was not rung");
	int sent = 0;
	pv_wakeup_send(&scene.bell);
	pv_wakeup_send(&scene.bell);
	ok(ioctl(scene.bell.ends[0], FIONREAD, &sent) == 0 && sent == 1,
	    "who rings again before it is heard does nothing");
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	ok(scene.heard == 1, "what was rung twice before is heard once");
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	ok(scene.heard == 1, "and not again");
	pv_wakeup_send(&scene.bell);
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	ok(scene.heard == 2, "but each time that it is rung anew");
	ok(scene_finish(&scene), "and nothing stays");
}

/* Each ring is for a number that is set before, and seen after. */
#define RINGS 20000

struct ringing {
	struct scene scene;
	atomic_uint number;
	unsigned seen;
};

static void on_number(void *ctx)
{
	struct ringing *ringing = ctx;
	ringing->seen = atomic_load(&ringing->number);
	if (ringing->seen == RINGS)
		uv_stop(&ringing->scene.loop);
}

static void *ring(void *ctx)
{
	struct ringing *ringing = ctx;
	for (unsigned i = 1; i <= RINGS; i++) {
		atomic_store(&ringing->number, i);
		pv_wakeup_send(&ringing->scene.bell);
	}
	return NULL;
}

static void test_threads(void)
{
	struct ringing ringing = {.seen = 0};
	pthread_t thread;
	uv_loop_init(&ringing.scene.loop);
	pv_wakeup_open(
	    &ringing.scene.bell, &ringing.scene.loop, on_number, &ringing);
	pthread_create(&thread, NULL, ring, &ringing);
	uv_run(&ringing.scene.loop, UV_RUN_DEFAULT);
	pthread_join(thread, NULL);
	ok(ringing.seen == RINGS,
	    "what another thread rings for is seen, the last of it too");
	ok(scene_finish(&ringing.scene), "and nothing stays");
}

int main(void)
{
	test_once();
	test_threads();
	return tap_done();
}
