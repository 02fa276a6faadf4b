#include "fetch/lane.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include <curl/curl.h>

#include "fetch/connected.h"
#include "policy/loaded.h"
#include "url/url.h"

#define SHARDS 2
#define JOIN_MS 20000
#define DESCRIPTORS_MAX 100
#define ENOUGH 40 /* of those */

/* A lane, the loop that its notices come to, and what they were. */
struct scene {
	struct loaded loaded;
	struct pv_fetch_shared shared;
	uv_loop_t loop;
	struct pv_lane *lane;
	unsigned counts[PV_NOTICE_CANCELLED + 1];
};

static void on_notice(void *ctx, const struct pv_note *note)
{
	struct scene *scene = ctx;
	scene->counts[note->kind]++;
}

static bool create(struct scene *scene)
{
	const struct pv_lane_plan plan = {
	    .loop = &scene->loop, .shard_count = SHARDS};
	scene->lane = pv_lane_create(&scene->shared, &plan);
	pv_post_set_receiver(&scene->lane->notices, on_notice, scene);
	return scene->lane->is_running;
}

static void begin(struct scene *scene)
{
	*scene =
	    (struct scene){.loaded = load_text("seeds: [http://127.0.0.1/]\n")};
	is_right(&scene->loaded);
	const struct pv_fetch_plan plan = {
	    .loop = &scene->loop, .policy = scene->loaded.policy};
	pv_fetch_shared_init(&scene->shared, &plan);
	uv_loop_init(&scene->loop);
}

static void destroy(struct scene *scene)
{
	pv_lane_close(scene->lane);
	uv_run(&scene->loop, UV_RUN_DEFAULT);
	pv_lane_destroy(scene->lane);
}

static void end(struct scene *scene)
{
	ok(uv_loop_close(&scene->loop) == 0, "nothing stays");
	pv_fetch_shared_finish(&scene->shared);
	loaded_finish(&scene->loaded);
}

static void test_stop(void)
{
	struct scene scene;
	begin(&scene);
	ok(create(&scene), "a lane is running");
	ok(!pv_lane_join(scene.lane, 1), "until it is told to stop");
	pv_lane_stop(scene.lane, PV_ORDER_STOP);
	ok(pv_lane_join(scene.lane, JOIN_MS),
	    "with nothing under way it ends then");
	destroy(&scene);
	end(&scene);
}

/* What is left to the system can still be tidied up, by this thread. */
static void test_leave(void)
{
	struct scene scene;
	begin(&scene);
	create(&scene);
	pv_lane_stop(scene.lane, PV_ORDER_LEAVE);
	ok(pv_lane_join(scene.lane, JOIN_MS) && scene.lane->shards,
	    "one that is told to leave ends and tidies up nothing");
	pv_lane_stop(scene.lane, PV_ORDER_STOP);
	uv_run(&scene.lane->loop, UV_RUN_DEFAULT);
	destroy(&scene);
	end(&scene);
}

static void test_close_idle(void)
{
	struct scene scene;
	begin(&scene);
	create(&scene);
	pv_lane_close_idle(scene.lane);
	pv_lane_close_idle(scene.lane);
	bool was_closing = atomic_load(&scene.lane->is_closing_idle);
	pv_lane_stop(scene.lane, PV_ORDER_STOP);
	ok(pv_lane_join(scene.lane, JOIN_MS) && was_closing &&
		!atomic_load(&scene.lane->is_closing_idle),
	    "it may be told twice to close what rests, and does so");
	unsigned serial = atomic_load(&scene.lane->call.serial);
	ok(serial >= 4 * SHARDS && serial % (2 * SHARDS) == 0,
	    "within calls, each time and in the end");
	destroy(&scene);
	end(&scene);
}

static void wait_for(struct scene *scene, enum pv_notice kind, unsigned count)
{
	while (scene->counts[kind] < count)
		uv_run(&scene->loop, UV_RUN_ONCE);
}

/* No connection is made before it is cancelled. */
static void test_cancel(void)
{
	struct scene scene;
	struct pv_url url;
	struct pv_response response;
	begin(&scene);
	create(&scene);
	pv_post_keep_awake(&scene.lane->notices, true);
	pv_url_init(&url, 8192);
	pv_url_parse(&url, PV_STR("http://a.test/"));
	pv_response_init(&response, ".", 1000);
	struct pv_request request = {
	    .url = &url, .port = 9, .response = &response};
	pv_address_read(PV_STR("127.0.0.1"), &request.address);
	struct pv_transfer *transfer = pv_transfer_create();
	pv_transfer_load(transfer, &request);
	pv_post_add(&scene.lane->orders, &transfer->cancel);
	pv_post_hand_on(&scene.lane->orders);
	wait_for(&scene, PV_NOTICE_CANCELLED, 1);
	ok(!transfer->exchange, "what has not begun can be cancelled");
	pv_post_add(&scene.lane->orders, &transfer->start);
	pv_post_add(&scene.lane->orders, &transfer->cancel);
	pv_post_hand_on(&scene.lane->orders);
	wait_for(&scene, PV_NOTICE_CANCELLED, 2);
	ok(!transfer->exchange && !scene.counts[PV_NOTICE_SENT] &&
		!scene.counts[PV_NOTICE_ENDED],
	    "and what is cancelled as it begins says nothing more");
	pv_lane_stop(scene.lane, PV_ORDER_STOP);
	pv_lane_join(scene.lane, JOIN_MS);
	pv_transfer_unload(transfer);
	pv_transfer_destroy(transfer);
	pv_response_finish(&response);
	pv_url_finish(&url);
	destroy(&scene);
	end(&scene);
}

/* In the place of the system's: a kernel need not have such clocks. */
static bool has_no_clocks;

int pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
	int (*real)(pthread_t, clockid_t *);
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_getcpuclockid");
	return has_no_clocks || !real ? ENOENT : real(thread, clock);
}

static void test_no_cpu_clock(void)
{
	struct scene scene;
	begin(&scene);
	has_no_clocks = true;
	ok(create(&scene) && pv_lane_cpu_ns(scene.lane) == 0,
	    "a lane runs also where nobody can tell what its thread uses");
	has_no_clocks = false;
	pv_lane_stop(scene.lane, PV_ORDER_STOP);
	ok(pv_lane_join(scene.lane, JOIN_MS), "and ends");
	destroy(&scene);
	end(&scene);
}

static void test_cpu(void)
{
	struct scene scene;
	begin(&scene);
	create(&scene);
	struct pv_lane own = {
	    .cpu_clock = CLOCK_THREAD_CPUTIME_ID, .has_cpu_clock = true};
	uint64_t before = pv_lane_cpu_ns(scene.lane);
	uint64_t until = pv_lane_cpu_ns(&own) + UINT64_C(50000000);
	while (pv_lane_cpu_ns(&own) < until)
		continue;
	ok(pv_lane_cpu_ns(scene.lane) - before < UINT64_C(25000000),
	    "what another thread uses is not the lane's");
	pv_lane_stop(scene.lane, PV_ORDER_STOP);
	pv_lane_join(scene.lane, JOIN_MS);
	destroy(&scene);
	end(&scene);
}

static unsigned count_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	unsigned count = 0;
	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count;
}

static void stop(struct scene *scene)
{
	if (scene->lane->is_running) {
		pv_lane_stop(scene->lane, PV_ORDER_STOP);
		pv_lane_join(scene->lane, JOIN_MS);
	}
	destroy(scene);
}

/* A lane that so many descriptors are left for. */
static void create_with(struct scene *scene, unsigned left)
{
	struct rlimit all;
	int held[DESCRIPTORS_MAX];
	unsigned count = 0;
	getrlimit(RLIMIT_NOFILE, &all);
	struct rlimit few = {DESCRIPTORS_MAX, all.rlim_max};
	setrlimit(RLIMIT_NOFILE, &few);
	while ((held[count] = dup(STDOUT_FILENO)) >= 0)
		count++;
	for (unsigned i = 0; i < left && count; i++)
		close(held[--count]);
	create(scene);
	setrlimit(RLIMIT_NOFILE, &all);
	while (count)
		close(held[--count]);
}

/* Whether it runs. A loop that cannot be made leaks by itself, in libuv. */
static bool try_with(struct scene *scene, unsigned left, bool *is_leaking)
{
	unsigned before = count_descriptors();
	create_with(scene, left);
	bool is_running = scene->lane->is_running;
	bool has_loop = scene->lane->orders.at_once > 0;
	pv_lane_close_idle(scene->lane);
	pv_post_hand_on(&scene->lane->orders);
	stop(scene);
	if (has_loop && count_descriptors() != before)
		*is_leaking = true;
	return is_running;
}

static void test_descriptors(void)
{
	struct scene scene;
	unsigned left = 0;
	bool is_leaking = false;
	begin(&scene);
	create(&scene);
	stop(&scene);
	while (left < ENOUGH && !try_with(&scene, left, &is_leaking))
		left++;
	ok(left > 0, "without descriptors a lane is not running, and may be "
		     "told all the same to close what rests");
	ok(left < ENOUGH, "with some it is");
	ok(!is_leaking, "and in between it leaves none of them open");
	end(&scene);
}

int main(void)
{
	curl_global_init(CURL_GLOBAL_DEFAULT);
	test_stop();
	test_leave();
	test_close_idle();
	test_cancel();
	test_no_cpu_clock();
	test_cpu();
	test_descriptors();
	curl_global_cleanup();
	return tap_done();
}
