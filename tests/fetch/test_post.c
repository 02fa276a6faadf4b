#include "fetch/post.h"

#include <stdlib.h>
#include <unistd.h>

#include <uv.h>

#include "tap.h"

#define AT_ONCE 4
#define MANY 1000
#define ROUNDS 200

/* Notes to a loop, and what it has heard. */
struct scene {
	uv_loop_t loop;
	struct pv_post post;
	struct pv_note notes[MANY];
	unsigned heard[2 * MANY]; /* kinds, in their order */
	unsigned count;
	unsigned again; /* so many notes are sent again as they are heard */
	bool is_about_right;
};

static void on_note(void *ctx, const struct pv_note *note)
{
	struct scene *scene = ctx;
	scene->heard[scene->count++] = note->kind;
	if (note->about != scene)
		scene->is_about_right = false;
	if (!scene->again)
		return;
	scene->again--;
	struct pv_note *same = &scene->notes[note->kind];
	same->kind = MANY + note->kind;
	pv_post_add(&scene->post, same);
	pv_post_hand_on(&scene->post);
}

static struct scene *begin(size_t at_once)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	uv_loop_init(&scene->loop);
	scene->is_about_right =
	    pv_post_open(&scene->post, &scene->loop, at_once);
	pv_post_set_receiver(&scene->post, on_note, scene);
	for (unsigned i = 0; i < MANY; i++)
		scene->notes[i] = (struct pv_note){NULL, i, scene};
	return scene;
}

static bool end(struct scene *scene)
{
	pv_post_close(&scene->post);
	uv_run(&scene->loop, UV_RUN_DEFAULT);
	bool is_empty = uv_loop_close(&scene->loop) == 0;
	free(scene);
	return is_empty;
}

static void add(struct scene *scene, unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		pv_post_add(&scene->post, &scene->notes[i]);
}

/* How many notes a turn brings. */
static unsigned turn(struct scene *scene)
{
	unsigned before = scene->count;
	uv_run(&scene->loop, UV_RUN_NOWAIT);
	return scene->count - before;
}

static bool is_in_order(const struct scene *scene)
{
	for (unsigned i = 0; i < scene->count; i++)
		if (scene->heard[i] != i)
			return false;
	return true;
}

static void test_order(void)
{
	struct scene *scene = begin(MANY);
	ok(turn(scene) == 0, "nothing is heard where nothing was sent");
	add(scene, 0, 3);
	ok(turn(scene) == 0, "nor of what was not handed on");
	pv_post_hand_on(&scene->post);
	add(scene, 3, 5);
	pv_post_hand_on(&scene->post);
	ok(turn(scene) == 5 && is_in_order(scene) && scene->is_about_right,
	    "notes are heard in their order, and what they are about");
	ok(turn(scene) == 0, "once");
	ok(end(scene), "and nothing stays");
}

static void test_at_once(void)
{
	struct scene *scene = begin(AT_ONCE);
	add(scene, 0, 2 * AT_ONCE + 1);
	pv_post_hand_on(&scene->post);
	ok(turn(scene) == AT_ONCE, "so many are heard in a turn at most");
	add(scene, 2 * AT_ONCE + 1, 2 * AT_ONCE + 2);
	pv_post_hand_on(&scene->post);
	ok(turn(scene) == AT_ONCE, "others in the next");
	ok(turn(scene) == 2 && is_in_order(scene),
	    "and the rest behind them, with what came meanwhile at its end");
	add(scene, 0, AT_ONCE);
	pv_post_hand_on(&scene->post);
	ok(turn(scene) == AT_ONCE && turn(scene) == 0,
	    "no turn is asked for where nothing is left");
	ok(end(scene), "and nothing stays");
}

static void test_again(void)
{
	struct scene *scene = begin(MANY);
	scene->again = 1;
	add(scene, 0, 3);
	pv_post_hand_on(&scene->post);
	turn(scene);
	turn(scene);
	ok(scene->count == 4 && scene->heard[0] == 0 && scene->heard[1] == 1 &&
		scene->heard[2] == 2 && scene->heard[3] == MANY,
	    "a note that is sent again while others are still being received "
	    "comes behind them");
	ok(end(scene), "and nothing stays");
}

static void test_receive(void)
{
	struct scene *scene = begin(AT_ONCE);
	add(scene, 0, 3 * AT_ONCE);
	pv_post_hand_on(&scene->post);
	pv_post_receive(&scene->post);
	ok(scene->count == 3 * AT_ONCE && is_in_order(scene),
	    "all that is there can be received at once, whatever a turn takes");
	turn(scene);
	ok(scene->count == 3 * AT_ONCE, "and is not heard again by the wakeup");
	ok(end(scene), "and nothing stays");
}

/* How many bytes are in the wakeup's pipe. */
static unsigned count_rings(const struct scene *scene)
{
	char bytes[64];
	ssize_t count = read(scene->post.wakeup.ends[0], bytes, sizeof(bytes));
	return count < 0 ? 0 : (unsigned)count;
}

static void test_wakeup(void)
{
	struct scene *scene = begin(MANY);
	pv_post_hand_on(&scene->post);
	ok(!atomic_load(&scene->post.wakeup.is_sent),
	    "handing on nothing does not ring");
	for (unsigned i = 0; i < 10; i++) {
		add(scene, i, i + 1);
		pv_post_hand_on(&scene->post);
	}
	ok(count_rings(scene) == 1, "many notes ring once");
	ok(end(scene), "and nothing stays");
}

static void on_idle(uv_idle_t *idle)
{
	(void)idle;
}

static void test_awake(void)
{
	struct scene *scene = begin(MANY);
	uv_idle_t idle; /* a loop that is not alive has no turns */
	bool is_alive = uv_loop_alive(&scene->loop);
	pv_post_keep_awake(&scene->post, false);
	ok(is_alive && !uv_loop_alive(&scene->loop),
	    "it need not keep the loop running");
	uv_idle_init(&scene->loop, &idle);
	uv_idle_start(&idle, on_idle);
	add(scene, 0, 1);
	pv_post_hand_on(&scene->post);
	ok(turn(scene) == 1, "and is heard all the same");
	uv_close((uv_handle_t *)&idle, NULL);
	turn(scene);
	pv_post_keep_awake(&scene->post, true);
	ok(uv_loop_alive(&scene->loop), "until it is to do so again");
	ok(end(scene), "and nothing stays");
}

/* Two threads, each with a loop: what one sends comes back from the other,
 * which counts it. */
struct echo {
	uv_loop_t loop;
	struct pv_post there; /* to the thread */
	struct pv_post back;
	struct pv_note notes[MANY];
	unsigned received; /* by the thread */
	unsigned returned;
	bool is_in_order;
};

static void on_there(void *ctx, const struct pv_note *note)
{
	struct echo *echo = ctx;
	struct pv_note *same = note->about;
	echo->received++;
	pv_post_add(&echo->back, same);
	pv_post_hand_on(&echo->back);
	if (echo->received == MANY * ROUNDS)
		uv_stop(&echo->loop);
}

/* A note that came back is sent once more. */
static void on_back(void *ctx, const struct pv_note *note)
{
	struct echo *echo = ctx;
	struct pv_note *same = note->about;
	if (note->kind != echo->returned % MANY)
		echo->is_in_order = false;
	if (echo->returned++ < MANY * (ROUNDS - 1))
		pv_post_add(&echo->there, same);
	if (echo->returned % 7 == 0 || note->kind == MANY - 1)
		pv_post_hand_on(&echo->there);
}

static void *run(void *ctx)
{
	struct echo *echo = ctx;
	uv_run(&echo->loop, UV_RUN_DEFAULT);
	return NULL;
}

static void close_all(struct echo *echo, uv_loop_t *loop)
{
	pv_post_close(&echo->there);
	pv_post_close(&echo->back);
	uv_run(&echo->loop, UV_RUN_DEFAULT);
	uv_run(loop, UV_RUN_DEFAULT);
	ok(uv_loop_close(&echo->loop) == 0 && uv_loop_close(loop) == 0,
	    "and nothing stays");
}

static void test_threads(void)
{
	struct echo *echo = calloc(1, sizeof(*echo));
	pthread_t thread;
	uv_loop_t loop;
	uv_loop_init(&loop);
	uv_loop_init(&echo->loop);
	echo->is_in_order = pv_post_open(&echo->there, &echo->loop, 64) &&
			    pv_post_open(&echo->back, &loop, 256);
	pv_post_set_receiver(&echo->there, on_there, echo);
	pv_post_set_receiver(&echo->back, on_back, echo);
	for (unsigned i = 0; i < MANY; i++) {
		echo->notes[i] = (struct pv_note){NULL, i, &echo->notes[i]};
		pv_post_add(&echo->there, &echo->notes[i]);
	}
	pv_post_hand_on(&echo->there);
	pthread_create(&thread, NULL, run, echo);
	while (echo->returned < MANY * ROUNDS)
		uv_run(&loop, UV_RUN_ONCE);
	pthread_join(thread, NULL);
	ok(echo->received == MANY * ROUNDS && echo->returned == MANY * ROUNDS,
	    "between two threads no note is lost or heard twice");
	ok(echo->is_in_order, "and all keep their order");
	close_all(echo, &loop);
	free(echo);
}

int main(void)
{
	test_order();
	test_at_once();
	test_again();
	test_receive();
	test_wakeup();
	test_awake();
	test_threads();
	return tap_done();
}
