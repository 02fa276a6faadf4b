#include "fetch/watch.h"

#include "fetch/connected.h"
#include "tap.h"

#define NS_PER_MS UINT64_C(1000000)
#define MARK_MS (PV_WATCH_MARK_NS / NS_PER_MS)
#define LONG_MS (PV_WATCH_CALL_NS / NS_PER_MS)
#define MUCH 200000
#define LITTLE 20000

/* A lane whose thread is this one, with two connections. */
struct scene {
	struct pv_lane lane;
	struct pv_watch watch;
	struct connection one;
	struct connection other;
};

static void on_ready(void *owner, int fd, int ready)
{
	(void)owner, (void)fd, (void)ready;
}

static void begin(struct scene *scene)
{
	struct pv_lane *lane = &scene->lane;
	*scene = (struct scene){.watch = {.serial = 0}};
	uv_loop_init(&lane->loop);
	pv_sockets_init(&lane->sockets, &lane->loop, on_ready);
	pthread_getcpuclockid(pthread_self(), &lane->cpu_clock);
	lane->has_cpu_clock = true;
	scene->one = connection_keep(&lane->sockets);
	scene->other = connection_keep(&lane->sockets);
}

static void end(struct scene *scene)
{
	struct pv_lane *lane = &scene->lane;
	connection_close(&lane->sockets, &scene->one);
	connection_close(&lane->sockets, &scene->other);
	uv_run(&lane->loop, UV_RUN_DEFAULT);
	pv_sockets_finish(&lane->sockets);
	ok(uv_loop_close(&lane->loop) == 0, "nothing stays");
}

/* A call begins or ends. */
static void call(struct scene *scene, int fd)
{
	atomic_store(&scene->lane.call.socket, fd);
	atomic_fetch_add(&scene->lane.call.serial, 1);
}

static void leave(struct scene *scene)
{
	atomic_fetch_add(&scene->lane.call.serial, 1);
}

static bool look(struct scene *scene)
{
	return pv_watch_look(&scene->watch, &scene->lane);
}

/* Uses so much processor time. */
static void work_for(struct scene *scene, uint64_t ms)
{
	uint64_t until = pv_lane_cpu_ns(&scene->lane) + ms * NS_PER_MS;
	while (pv_lane_cpu_ns(&scene->lane) < until)
		continue;
}

static void work(struct scene *scene)
{
	work_for(scene, LONG_MS);
}

/* Begins a call that has worked for long enough to be marked. */
static void call_marked(struct scene *scene, int fd)
{
	call(scene, fd);
	look(scene);
	work_for(scene, MARK_MS);
	look(scene);
}

static bool is_cut(const struct connection *connection)
{
	return connection_has_ended(connection->theirs);
}

static bool is_none_cut(const struct scene *scene)
{
	return !is_cut(&scene->one) && !is_cut(&scene->other);
}

static void test_no_call(void)
{
	struct scene scene;
	begin(&scene);
	ok(!look(&scene), "a lane without a call is in the midst of none");
	work(&scene);
	ok(!look(&scene) && is_none_cut(&scene),
	    "and cuts off nobody, however much it works");
	pv_watch_cut(&scene.watch, &scene.lane);
	ok(is_none_cut(&scene), "not even where somebody waits for its end");
	call(&scene, scene.one.ours);
	ok(look(&scene), "one with a call is");
	leave(&scene);
	ok(!look(&scene), "until that ends");
	end(&scene);
}

static void test_long_call(void)
{
	struct scene scene;
	begin(&scene);
	call(&scene, scene.one.ours);
	work(&scene);
	look(&scene);
	look(&scene);
	ok(is_none_cut(&scene) && !scene.watch.is_marked,
	    "what a call has used before it was seen does not count");
	work_for(&scene, MARK_MS);
	look(&scene);
	look(&scene);
	ok(is_none_cut(&scene) && scene.watch.is_marked,
	    "and some of the rest goes by before the connections are marked");
	work(&scene);
	ok(look(&scene) && is_cut(&scene.one),
	    "whom a call is for that uses much is cut off");
	ok(!is_cut(&scene.other), "and nobody else");
	end(&scene);
}

/* As on a busy machine, or where the disk is slow. */
static void test_waiting_call(void)
{
	struct scene scene;
	begin(&scene);
	call_marked(&scene, scene.one.ours);
	usleep((useconds_t)(LONG_MS * 1000));
	ok(look(&scene) && is_none_cut(&scene),
	    "a call that takes as long and uses nothing cuts off nobody");
	leave(&scene);
	call(&scene, scene.one.ours);
	look(&scene);
	usleep((useconds_t)(LONG_MS * 1000));
	look(&scene);
	ok(!scene.watch.is_marked, "nor are the connections marked for it");
	end(&scene);
}

/* As where the conductor was busy itself, or the clock has jumped. */
static void test_late_look(void)
{
	struct scene scene;
	begin(&scene);
	call(&scene, scene.one.ours);
	look(&scene);
	connection_flood(&scene.other, MUCH);
	work_for(&scene, MARK_MS + 2 * LONG_MS);
	look(&scene);
	look(&scene);
	ok(is_none_cut(&scene),
	    "nobody is cut off at a look before which nothing was marked");
	connection_flood(&scene.other, MUCH);
	work(&scene);
	look(&scene);
	ok(is_cut(&scene.other) && !is_cut(&scene.one),
	    "but at the next one, whoever is to blame");
	end(&scene);
}

static void test_many_calls(void)
{
	struct scene scene;
	begin(&scene);
	for (int i = 0; i < 3; i++) {
		call(&scene, scene.one.ours);
		look(&scene);
		work(&scene);
		leave(&scene);
	}
	call(&scene, scene.one.ours);
	ok(look(&scene) && is_none_cut(&scene),
	    "calls that end in time cut off nobody, whatever they use together");
	end(&scene);
}

static void test_nobodys_call(void)
{
	struct scene scene;
	begin(&scene);
	connection_flood(&scene.one, 2 * MUCH);
	call_marked(&scene, -1);
	connection_flood(&scene.other, MUCH);
	work(&scene);
	look(&scene);
	ok(is_cut(&scene.other) && !is_cut(&scene.one),
	    "where nobody knows whom it is for, it is who received the most "
	    "meanwhile");
	end(&scene);
}

/* In one call libcurl goes on with others. */
static void test_other(void)
{
	struct scene scene;
	begin(&scene);
	call_marked(&scene, scene.one.ours);
	connection_flood(&scene.other, MUCH);
	work(&scene);
	look(&scene);
	ok(is_cut(&scene.other) && !is_cut(&scene.one),
	    "nor whom it was made for, where another is read from");
	work(&scene);
	look(&scene);
	ok(is_cut(&scene.one), "until nobody else is to blame");
	end(&scene);
}

static void test_in_vain(void)
{
	struct scene scene;
	begin(&scene);
	call_marked(&scene, scene.one.ours);
	work(&scene);
	look(&scene);
	bool is_first_cut = is_cut(&scene.one);
	connection_flood(&scene.other, MUCH);
	work(&scene);
	look(&scene);
	ok(is_first_cut && is_cut(&scene.other),
	    "where that was in vain, it is from whom most was read");
	end(&scene);
}

static void test_cut_now(void)
{
	struct scene scene;
	begin(&scene);
	call(&scene, scene.one.ours);
	pv_watch_cut(&scene.watch, &scene.lane);
	ok(is_cut(&scene.one) && !is_cut(&scene.other),
	    "whoever waits for its end cuts it off at once");
	connection_flood(&scene.other, MUCH);
	pv_watch_cut(&scene.watch, &scene.lane);
	ok(is_cut(&scene.other), "and the next at the next try");
	end(&scene);
}

/* On a busy machine the lane gets little done between two tries. */
static void test_cut_slowly(void)
{
	struct scene scene;
	begin(&scene);
	call(&scene, scene.one.ours);
	pv_watch_cut(&scene.watch, &scene.lane);
	for (int i = 0; i < 10; i++) {
		connection_flood(&scene.other, LITTLE);
		pv_watch_cut(&scene.watch, &scene.lane);
	}
	ok(is_cut(&scene.other),
	    "also where little is read between one try and the next");
	end(&scene);
}

int main(void)
{
	test_no_call();
	test_long_call();
	test_waiting_call();
	test_late_look();
	test_many_calls();
	test_nobodys_call();
	test_other();
	test_in_vain();
	test_cut_now();
	test_cut_slowly();
	return tap_done();
}
