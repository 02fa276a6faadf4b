#include "loop/pool.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bell.h"
#include "tap.h"

#define ITEMS 2000

/* Work that notes by whom, when and in which order it was done. */
struct desk {
	atomic_int busy;
	unsigned visits; /* nobody else may be at it */
};

struct scene;

struct piece {
	struct pv_work_item item; /* the first */
	struct scene *scene;
	size_t number;
	unsigned runs;
	unsigned ends;
	size_t worker;
	size_t behind;
	struct piece *next; /* to be given when this one is back */
};

struct scene {
	struct pv_workers *workers;
	struct pv_pool *pool;
	struct bell bell;
	struct bell gate;
	struct scene *before; /* who has given before this one */
	pthread_t receiver;
	size_t count;
	struct desk desks[8];
	atomic_uint faults;
	atomic_uint wakes;
	size_t order[ITEMS];
	size_t ended;
	struct piece pieces[ITEMS];
};

static void wake(void *ctx)
{
	struct scene *scene = ctx;
	atomic_fetch_add(&scene->wakes, 1);
	bell_ring(&scene->bell);
}

static bool are_signals_blocked(void)
{
	sigset_t set;
	pthread_sigmask(SIG_SETMASK, NULL, &set);
	return sigismember(&set, SIGINT) && sigismember(&set, SIGTERM);
}

static void run(struct pv_work_item *item, size_t worker)
{
	struct piece *piece = (struct piece *)item;
	struct scene *scene = piece->scene;
	struct desk *desk = &scene->desks[worker % 8];
	if (worker >= scene->count || atomic_fetch_add(&desk->busy, 1) ||
	    pthread_equal(pthread_self(), scene->receiver) ||
	    !are_signals_blocked())
		atomic_fetch_add(&scene->faults, 1);
	desk->visits++;
	piece->runs++;
	piece->worker = worker;
	atomic_fetch_sub(&desk->busy, 1);
}

static void done(struct pv_work_item *item)
{
	struct piece *piece = (struct piece *)item;
	struct scene *scene = piece->scene;
	if (!pthread_equal(pthread_self(), scene->receiver))
		atomic_fetch_add(&scene->faults, 1);
	piece->ends++;
	scene->order[scene->ended++] = piece->number;
	if (piece->next)
		pv_pool_give(scene->pool, &piece->next->item);
}

/* One scene at a time: it is large. */
static struct scene *scene_open(size_t count)
{
	static struct scene scene;
	memset(&scene, 0, sizeof(scene));
	bell_init(&scene.bell);
	scene.receiver = pthread_self();
	scene.count = count;
	for (size_t i = 0; i < ITEMS; i++)
		scene.pieces[i] = (struct piece){
		    .item = {.run = run, .done = done},
		    .scene = &scene,
		    .number = i,
		};
	scene.workers = pv_workers_create(count);
	scene.pool = pv_pool_create(scene.workers, wake, &scene);
	return &scene;
}

static void give(struct scene *scene, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		pv_pool_give(scene->pool, &scene->pieces[i].item);
	pv_pool_hand_on(scene->pool);
}

/* Sleeps until woken, as a loop does, until so many are back. */
static void receive(struct scene *scene, size_t count)
{
	size_t back = 0;
	while (back < count) {
		bell_wait(&scene->bell);
		back += pv_pool_receive(scene->pool);
		pv_pool_hand_on(scene->pool);
	}
}

/* Whether each was run once, and came back once. */
static bool is_all_done(const struct scene *scene)
{
	bool is_done = scene->ended == ITEMS;
	for (size_t i = 0; i < ITEMS; i++)
		is_done = is_done && scene->pieces[i].runs == 1 &&
			  scene->pieces[i].ends == 1;
	return is_done;
}

static void test_one(void)
{
	struct scene *scene = scene_open(1);
	bool is_in_order = true;
	ok(pv_pool_is_idle(scene->pool), "a pool without work is idle");
	give(scene, 0, ITEMS);
	ok(!pv_pool_is_idle(scene->pool), "one with work is not");
	receive(scene, ITEMS);
	ok(pv_pool_is_idle(scene->pool),
	    "until all that was given has come back");
	for (size_t i = 0; i < ITEMS; i++)
		is_in_order = is_in_order && scene->order[i] == i;
	ok(is_in_order, "one thread does what is given in its order");
	ok(is_all_done(scene), "each once");
	ok(pv_pool_receive(scene->pool) == 0, "and then nothing comes back");
	ok(scene->faults == 0,
	    "work is done in a thread without signals, its end is told in the "
	    "one that receives");
	pv_pool_destroy(scene->pool);
	pv_workers_destroy(scene->workers);
	bell_finish(&scene->bell);
}

static void test_many(void)
{
	struct scene *scene = scene_open(8);
	unsigned visits = 0;
	size_t first = 0;
	while (first < ITEMS) {
		size_t end = first + 1 + first % 97;
		if (end > ITEMS)
			end = ITEMS;
		give(scene, first, end);
		receive(scene, end - first);
		first = end;
	}
	for (size_t i = 0; i < 8; i++)
		visits += scene->desks[i].visits;
	ok(is_all_done(scene) && visits == ITEMS,
	    "many threads do each item once");
	ok(scene->faults == 0,
	    "and nobody works at the desk of another's number");
	pv_pool_destroy(scene->pool);
	pv_workers_destroy(scene->workers);
	bell_finish(&scene->bell);
}

/* A receiver that sleeps between is woken for each, and not much oftener. */
static void test_waking(void)
{
	struct scene *scene = scene_open(2);
	for (size_t i = 0; i < 500; i++) {
		give(scene, i, i + 1);
		receive(scene, 1);
	}
	ok(scene->ended == 500 && scene->wakes == 500,
	    "each time that there is something to receive somebody is woken");
	pv_pool_destroy(scene->pool);
	pv_workers_destroy(scene->workers);
	bell_finish(&scene->bell);
}

static void test_handing_on(void)
{
	struct scene *scene = scene_open(2);
	for (size_t i = 0; i < 3; i++)
		pv_pool_give(scene->pool, &scene->pieces[i].item);
	ok(pv_pool_receive(scene->pool) == 0 && scene->wakes == 0,
	    "what is given waits until it is handed on");
	pv_pool_hand_on(scene->pool);
	pv_pool_hand_on(scene->pool);
	receive(scene, 3);
	ok(scene->ended == 3, "and is handed on once, all of it");
	for (size_t i = 3; i < ITEMS; i++)
		pv_pool_give(scene->pool, &scene->pieces[i].item);
	pv_pool_destroy(scene->pool);
	pv_workers_destroy(scene->workers);
	ok(is_all_done(scene),
	    "P6: at the end what was not handed on is done as well");
	bell_finish(&scene->bell);
}

/* What comes back gives more work, as a visit does that was refused. */
static void test_chain(void)
{
	struct scene *scene = scene_open(3);
	for (size_t i = 0; i + 1 < ITEMS; i++)
		scene->pieces[i].next = &scene->pieces[i + 1];
	give(scene, 0, 1);
	receive(scene, ITEMS);
	ok(is_all_done(scene) && scene->order[ITEMS - 1] == ITEMS - 1,
	    "who gets work back may give more");
	pv_pool_destroy(scene->pool);
	pv_workers_destroy(scene->workers);
	bell_finish(&scene->bell);
}

static void test_destroy(void)
{
	for (size_t count = 1; count <= 8; count *= 2) {
		struct scene *scene = scene_open(count);
		give(scene, 0, ITEMS);
		pv_pool_destroy(scene->pool);
		pv_workers_destroy(scene->workers);
		ok(is_all_done(scene) && scene->faults == 0,
		    "P6: at the end of %zu threads what was given is done, "
		    "and comes back",
		    count);
		bell_finish(&scene->bell);
	}
	struct scene *scene = scene_open(4);
	pv_pool_destroy(scene->pool);
	pv_workers_destroy(scene->workers);
	ok(scene->wakes == 0, "threads without work end as well");
	bell_finish(&scene->bell);
	pv_pool_destroy(NULL);
}

/* Until the test has given all that it wants to give. */
static void run_waiting(struct pv_work_item *item, size_t worker)
{
	struct piece *piece = (struct piece *)item;
	bell_wait(&piece->scene->gate);
	run(item, worker);
}

/* Notes how much of the other's work was done before. */
static void run_behind(struct pv_work_item *item, size_t worker)
{
	struct piece *piece = (struct piece *)item;
	piece->behind = piece->scene->before->desks[worker].visits;
}

/* Who has given much and who has given little, on one thread. */
static void test_two_pools(void)
{
	struct scene *scene = scene_open(1);
	struct scene *other = calloc(1, sizeof(*other));
	size_t late = 0;
	other->receiver = scene->receiver;
	other->count = 1;
	other->before = scene;
	bell_init(&other->bell);
	bell_init(&scene->gate);
	scene->pieces[0].item.run = run_waiting;
	other->pool = pv_pool_create(scene->workers, wake, other);
	for (size_t i = 0; i < 3; i++)
		other->pieces[i] = (struct piece){
		    .item = {.run = run_behind, .done = done},
		    .scene = other,
		    .number = i,
		};
	give(scene, 0, ITEMS);
	give(other, 0, 3);
	bell_ring(&scene->gate);
	receive(other, 3);
	for (size_t i = 0; i < 3; i++)
		late += other->pieces[i].behind;
	ok(late <= 3 * 4,
	    "pools take turns: little work does not wait for much (%zu)", late);
	pv_pool_destroy(other->pool);
	ok(other->ended == 3 && !scene->faults,
	    "a pool ends while its threads work for another");
	receive(scene, ITEMS);
	ok(is_all_done(scene), "which is done whole");
	pv_pool_destroy(scene->pool);
	pv_workers_destroy(scene->workers);
	bell_finish(&scene->bell);
	bell_finish(&other->bell);
	bell_finish(&scene->gate);
	free(other);
}

int main(void)
{
	test_one();
	test_many();
	test_waking();
	test_handing_on();
	test_chain();
	test_destroy();
	test_two_pools();
	return tap_done();
}
