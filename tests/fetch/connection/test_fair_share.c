#include "fetch/connection/fair_share.h"

#include <uv.h>

#include "fetch/connected.h"
#include "tap.h"

#define NS_PER_MS UINT64_C(1000000)
#define STEP_MS 50 /* of which a window has five */
#define STEPS 5
#define MUCH ((size_t)2 << 20)
#define NOBODY (-1)

/* What the thread has used; it has no context. */
static uint64_t used_ns;

static uint64_t cpu_ns(void)
{
	return used_ns;
}

struct scene {
	uv_loop_t loop;
	struct pv_sockets sockets;
	struct pv_fair_share share;
	struct connection one;
	struct connection other;
	uint64_t now_ns;
};

static void on_ready(void *owner, int fd, int ready)
{
	(void)owner, (void)fd, (void)ready;
}

static void begin(struct scene *scene)
{
	*scene = (struct scene){.now_ns = 1000 * NS_PER_MS};
	used_ns = 0;
	uv_loop_init(&scene->loop);
	pv_sockets_init(&scene->sockets, &scene->loop, on_ready);
	pv_fair_share_init(&scene->share, &scene->sockets, cpu_ns);
	scene->one = connection_keep(&scene->sockets);
	scene->other = connection_keep(&scene->sockets);
	pv_fair_share_look(&scene->share, scene->now_ns);
	scene->share.began_ns = scene->now_ns;
}

static void end(struct scene *scene)
{
	connection_close(&scene->sockets, &scene->one);
	connection_close(&scene->sockets, &scene->other);
	uv_run(&scene->loop, UV_RUN_DEFAULT);
	pv_sockets_finish(&scene->sockets);
	ok(uv_loop_close(&scene->loop) == 0, "nothing stays");
}

/* A call that takes so long and uses so much of a processor. */
static int call_for(
    struct scene *scene, int fd, unsigned wall_ms, unsigned cpu_ms)
{
	bool is_exact = scene->share.is_exact;
	scene->now_ns += wall_ms * NS_PER_MS;
	used_ns += cpu_ms * NS_PER_MS;
	pv_fair_share_lay(
	    &scene->share, fd, (is_exact ? cpu_ms : wall_ms) * NS_PER_MS);
	return pv_fair_share_look(&scene->share, scene->now_ns);
}

/* A window in which one connection has the thread for itself. */
static int window_for(struct scene *scene, int fd)
{
	int hog = NOBODY;
	for (int i = 0; i < STEPS && hog < 0; i++)
		hog = call_for(scene, fd, STEP_MS, STEP_MS);
	return hog;
}

static void test_hog(void)
{
	struct scene scene;
	begin(&scene);
	ok(window_for(&scene, scene.one.ours) == NOBODY && scene.share.is_exact,
	    "one that has a window for itself makes the next an exact one");
	ok(pv_fair_share_clock(&scene.share) == used_ns,
	    "which is measured by processor time");
	ok(window_for(&scene, scene.one.ours) == scene.one.ours,
	    "and is found if it has that as well");
	ok(!scene.share.is_exact, "after which all begins anew");
	end(&scene);
}

static void test_suspect(void)
{
	struct scene scene;
	int hog = NOBODY;
	begin(&scene);
	window_for(&scene, scene.one.ours);
	for (int i = 0; i < STEPS && hog < 0; i++) {
		hog = call_for(&scene, scene.one.ours, 25, 25);
		if (hog < 0)
			hog = call_for(&scene, scene.other.ours, 25, 25);
	}
	ok(hog == NOBODY && !scene.share.is_exact,
	    "one that takes no more than half of the second is none");
	end(&scene);
}

/* As of a lane that has much to do besides calls. */
static void test_small(void)
{
	struct scene scene;
	int hog = NOBODY;
	begin(&scene);
	window_for(&scene, scene.one.ours);
	for (int i = 0; i < STEPS && hog < 0; i++) {
		used_ns += 40 * NS_PER_MS;
		hog = call_for(&scene, scene.one.ours, STEP_MS, 10);
	}
	ok(hog == NOBODY && !scene.share.is_exact,
	    "nor is one whose calls are all of a window that went on other "
	    "work");
	end(&scene);
}

/* What comes in each of two windows. */
static const struct {
	const char *claim;
	size_t bytes;
	unsigned answers;
	bool is_hog;
} credits[] = {
    {"a fast body is no hog's", 5000000, 0, false},
    {"a few bytes are", 1000000, 0, true},
    {"many answers are none", 0, 200, false},
    {"a few answers are", 0, 50, true},
};

static int credited_window(struct scene *scene, size_t bytes, unsigned answers)
{
	int fd = scene->one.ours;
	pv_fair_share_credit(&scene->share, fd, bytes);
	for (unsigned i = 0; i < answers; i++)
		pv_fair_share_credit_answer(&scene->share, fd);
	return window_for(scene, fd);
}

static void test_credit(void)
{
	for (size_t i = 0; i < sizeof(credits) / sizeof(*credits); i++) {
		struct scene scene;
		begin(&scene);
		int hog = NOBODY;
		for (int window = 0; window < 2 && hog < 0; window++)
			hog = credited_window(
			    &scene, credits[i].bytes, credits[i].answers);
		ok((hog == scene.one.ours) == credits[i].is_hog, "%s",
		    credits[i].claim);
		end(&scene);
	}
}

static void test_old_credit(void)
{
	struct scene scene;
	begin(&scene);
	credited_window(&scene, 5000000, 0);
	window_for(&scene, scene.one.ours);
	ok(window_for(&scene, scene.one.ours) == scene.one.ours,
	    "what it brought in one window does not count in the next");
	pv_fair_share_credit(&scene.share, NOBODY, 1);
	pv_fair_share_credit(&scene.share, 1 << 20, 1);
	end(&scene);
}

/* Its calls take long by the clock and use next to nothing. */
static void test_busy(void)
{
	struct scene scene;
	int hog = NOBODY;
	bool was_exact = false;
	begin(&scene);
	for (int i = 0; i <= 2 * STEPS && hog < 0; i++) {
		hog = call_for(&scene, scene.one.ours, 400, 2);
		if (hog < 0)
			hog = call_for(&scene, scene.other.ours, 24, 24);
		if (hog < 0)
			hog = call_for(&scene, NOBODY, 24, 24);
		was_exact = was_exact || scene.share.is_exact;
	}
	ok(was_exact && !scene.share.is_exact && hog == NOBODY,
	    "on a busy machine one is suspected, and not found");
	end(&scene);
}

static void test_nobodys(void)
{
	struct scene scene;
	begin(&scene);
	window_for(&scene, NOBODY);
	ok(scene.share.is_exact, "time that is nobody's is looked into");
	ok(window_for(&scene, NOBODY) == NOBODY,
	    "and laid to nobody who received nothing");
	window_for(&scene, NOBODY);
	connection_flood(&scene.one, MUCH / 4);
	ok(window_for(&scene, NOBODY) == NOBODY, "nor to one who did little");
	connection_flood(&scene.other, 2 * MUCH);
	window_for(&scene, NOBODY);
	connection_flood(&scene.one, MUCH);
	ok(window_for(&scene, NOBODY) == scene.one.ours,
	    "but to who received the most in the exact window");
	window_for(&scene, NOBODY);
	connection_flood(&scene.one, 2 * MUCH);
	pv_fair_share_credit(&scene.share, scene.one.ours, MUCH);
	connection_flood(&scene.other, MUCH);
	ok(window_for(&scene, NOBODY) == scene.other.ours,
	    "of what is worth nothing");
	end(&scene);
}

/* A window around the callbacks for one. */
static int guessed_window(struct scene *scene, int fd)
{
	int hog = NOBODY;
	for (int i = 0; i < STEPS && hog < 0; i++) {
		scene->now_ns += STEP_MS * NS_PER_MS;
		used_ns += STEP_MS * NS_PER_MS;
		pv_fair_share_guess(&scene->share, fd, STEP_MS * NS_PER_MS);
		hog = pv_fair_share_look(&scene->share, scene->now_ns);
	}
	return hog;
}

static void test_guess(void)
{
	struct scene scene;
	begin(&scene);
	guessed_window(&scene, scene.one.ours);
	ok(scene.share.is_exact, "one that seems to have much is looked into");
	ok(guessed_window(&scene, scene.one.ours) == NOBODY,
	    "and is not blamed for it if nothing is read from it");
	guessed_window(&scene, scene.one.ours);
	connection_flood(&scene.one, MUCH / 4);
	connection_flood(&scene.other, MUCH);
	ok(guessed_window(&scene, scene.one.ours) == scene.other.ours,
	    "but who was read from more, for nothing");
	guessed_window(&scene, scene.one.ours);
	connection_flood(&scene.one, MUCH / 4);
	connection_flood(&scene.other, MUCH);
	pv_fair_share_credit(&scene.share, scene.other.ours, MUCH);
	ok(guessed_window(&scene, scene.one.ours) == scene.one.ours,
	    "unless that was for something");
	end(&scene);
}

static void test_stale(void)
{
	struct scene scene;
	unsigned stale_ms = (unsigned)(PV_SHARE_STALE_NS / NS_PER_MS);
	begin(&scene);
	for (int i = 0; i < STEPS - 1; i++)
		call_for(&scene, scene.one.ours, STEP_MS, STEP_MS);
	call_for(&scene, NOBODY, stale_ms, 0);
	for (int i = 0; i < STEPS - 1; i++)
		call_for(&scene, scene.one.ours, STEP_MS, STEP_MS);
	ok(!scene.share.is_exact,
	    "what was used long ago is no part of a window");
	call_for(&scene, scene.one.ours, STEP_MS, STEP_MS);
	ok(scene.share.is_exact, "which is full with what came since");
	call_for(&scene, NOBODY, stale_ms, 0);
	ok(window_for(&scene, scene.one.ours) == NOBODY &&
		window_for(&scene, scene.one.ours) == scene.one.ours,
	    "and who was suspected long ago is to be suspected again");
	end(&scene);
}

/* Less than half of a window is no hog's, whatever was there before. */
static void test_stale_spending(void)
{
	struct scene scene;
	unsigned stale_ms = (unsigned)(PV_SHARE_STALE_NS / NS_PER_MS);
	begin(&scene);
	for (int i = 0; i < STEPS - 1; i++)
		call_for(&scene, scene.one.ours, STEP_MS, STEP_MS);
	call_for(&scene, NOBODY, stale_ms, 0);
	for (int i = 0; i < STEPS; i++) {
		call_for(&scene, scene.one.ours, 20, 20);
		call_for(&scene, NOBODY, 10, 10);
		call_for(&scene, scene.other.ours, 20, 20);
	}
	ok(!scene.share.is_exact,
	    "what one used long ago does not make it suspect now");
	end(&scene);
}

static void test_stale_credit(void)
{
	struct scene scene;
	unsigned stale_ms = (unsigned)(PV_SHARE_STALE_NS / NS_PER_MS);
	begin(&scene);
	pv_fair_share_credit(&scene.share, scene.one.ours, 50 * MUCH);
	call_for(&scene, NOBODY, stale_ms, 0);
	window_for(&scene, scene.one.ours);
	ok(scene.share.is_exact, "nor is it excused by what it brought");
	end(&scene);
}

int main(void)
{
	test_hog();
	test_suspect();
	test_small();
	test_credit();
	test_old_credit();
	test_busy();
	test_nobodys();
	test_guess();
	test_stale();
	test_stale_spending();
	test_stale_credit();
	return tap_done();
}
