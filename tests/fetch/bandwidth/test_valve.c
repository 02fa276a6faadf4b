#include "fetch/bandwidth/valve.h"

#include "tap.h"

/* At this limit a piece takes a second, and the credit is one piece. */
#define PIECE 16384
#define LIMIT PIECE
#define FLOWS 8

struct scene {
	struct pv_valve valve;
	struct pv_flow flows[FLOWS];
	int64_t now;
};

static void begin(struct scene *scene, int64_t limit)
{
	*scene = (struct scene){.now = 0};
	pv_valve_init(&scene->valve, limit, 0);
}

static bool pass(struct scene *scene, size_t flow, size_t bytes)
{
	return pv_valve_pass(
	    &scene->valve, &scene->flows[flow], bytes, scene->now);
}

/* The number of whoever may go on next, when that is; -1 for nobody. */
static int next(struct scene *scene)
{
	int64_t wait_ms = pv_valve_wait(&scene->valve, scene->now);
	if (wait_ms == PV_VALVE_NEVER)
		return -1;
	scene->now += wait_ms;
	struct pv_flow *flow = pv_valve_take_next(&scene->valve, scene->now);
	if (!flow)
		return -2;
	flow->passed += flow->wanted;
	return (int)(flow - scene->flows);
}

static void test_turns(void)
{
	struct scene scene;
	begin(&scene, LIMIT);
	ok(pass(&scene, 0, PIECE) && !pass(&scene, 0, PIECE),
	    "what is there may come at once, and no more");
	ok(!pass(&scene, 1, 1) && !pass(&scene, 2, PIECE),
	    "and whoever comes then waits, however little he wants");
	ok(next(&scene) == 0 && scene.now == 1000,
	    "who came first goes first, when there is enough for him");
	ok(next(&scene) == 1 && next(&scene) == 2 && scene.now == 2001,
	    "and then the others in turn");
	ok(next(&scene) == -1, "until nobody waits");
}

static void test_early(void)
{
	struct scene scene;
	begin(&scene, LIMIT);
	pass(&scene, 0, PIECE);
	pass(&scene, 0, PIECE);
	ok(!pv_valve_take_next(&scene.valve, 999),
	    "nobody goes on before there is enough");
	scene.now = 1500;
	ok(!pass(&scene, 1, 1) && next(&scene) == 0,
	    "nor does anybody go before who waits");
}

static void test_fresh(void)
{
	struct scene scene;
	begin(&scene, LIMIT);
	for (size_t i = 0; i < 4; i++)
		scene.flows[i].passed = PIECE;
	pass(&scene, 0, PIECE);
	for (size_t i = 0; i < 4; i++)
		pass(&scene, i, PIECE);
	for (size_t i = 4; i < 8; i++)
		pass(&scene, i, PIECE);
	static const int order[] = {4, 0, 5, 1, 6, 2, 7, 3};
	bool is_right = true;
	for (size_t i = 0; i < 8; i++)
		is_right = next(&scene) == order[i] && is_right;
	ok(is_right, "those that had little take turns with those that had "
		     "much");
}

/* A new one comes for each that goes: the large ones are not starved. */
static void test_no_starving(void)
{
	struct scene scene;
	size_t large = 0;
	begin(&scene, LIMIT);
	scene.flows[0].passed = PIECE;
	pass(&scene, 0, PIECE);
	pass(&scene, 0, PIECE);
	for (size_t i = 1; i < FLOWS; i++)
		pass(&scene, i, PIECE);
	for (size_t i = 0; i < 100; i++) {
		int flow = next(&scene);
		if (flow == 0)
			large++;
		else
			scene.flows[flow].passed = 0;
		pass(&scene, (size_t)flow, PIECE);
	}
	ok(large == 50,
	    "however many small ones come, a large one has its "
	    "turn (%zu of 100)",
	    large);
}

static void test_share(void)
{
	struct scene scene;
	begin(&scene, LIMIT);
	for (size_t i = 0; i < FLOWS; i++)
		pass(&scene, i, PIECE);
	if (!scene.flows[0].valve)
		pass(&scene, 0, PIECE);
	for (size_t i = 0; i < FLOWS * 100; i++) {
		int flow = next(&scene);
		pass(&scene, (size_t)flow, PIECE);
	}
	bool is_even = true;
	for (size_t i = 0; i < FLOWS; i++)
		is_even = is_even && scene.flows[i].passed >= 90 * PIECE &&
			  scene.flows[i].passed <= 110 * PIECE;
	ok(is_even, "all that always want more have the same");
	ok(scene.now == FLOWS * 100 * 1000, "and together all that there is");
}

/* One whose pieces are small takes more of them while it is its turn. */
static void test_small_pieces(void)
{
	struct scene scene;
	begin(&scene, LIMIT);
	scene.flows[0].passed = scene.flows[1].passed = PIECE;
	pass(&scene, 1, PIECE);
	pass(&scene, 0, PIECE / 64);
	pass(&scene, 1, PIECE);
	for (size_t i = 0; i < 4000; i++) {
		int flow = next(&scene);
		while (flow == 0 && pass(&scene, 0, PIECE / 64))
			scene.flows[0].passed += PIECE / 64;
		if (flow == 1)
			pass(&scene, 1, PIECE);
		pv_valve_end_turn(&scene.valve);
	}
	uint64_t small = scene.flows[0].passed;
	uint64_t large = scene.flows[1].passed;
	ok(small > large * 3 / 4 && small < large * 4 / 3,
	    "small pieces get as much as large ones (%llu, %llu)",
	    (unsigned long long)small, (unsigned long long)large);
}

static void test_turn(void)
{
	struct scene scene;
	begin(&scene, LIMIT);
	pass(&scene, 0, PIECE);
	pass(&scene, 0, 1000);
	pass(&scene, 1, 1000);
	scene.now = 1000;
	ok(next(&scene) == 0 && pass(&scene, 0, PIECE - 2000) &&
		!pass(&scene, 0, 1001),
	    "a turn ends after so many bytes");
	ok(next(&scene) == 1 && next(&scene) == 0, "and the others go on then");
	pv_valve_end_turn(&scene.valve);
	pass(&scene, 1, 1000);
	ok(!pass(&scene, 0, 1), "nor may anybody go on after it");
}

static void test_forget(void)
{
	struct scene scene;
	begin(&scene, LIMIT);
	pass(&scene, 0, PIECE);
	for (size_t i = 0; i < 4; i++)
		pass(&scene, i, PIECE);
	pv_valve_forget(&scene.flows[3]);
	pv_valve_forget(&scene.flows[1]);
	pv_valve_forget(&scene.flows[0]);
	pv_valve_forget(&scene.flows[0]);
	ok(next(&scene) == 2 && next(&scene) == -1,
	    "who waits no more is not in the way of others");
	pass(&scene, 3, PIECE);
	ok(next(&scene) == 3, "and may come again");
}

int main(void)
{
	test_turns();
	test_early();
	test_fresh();
	test_no_starving();
	test_share();
	test_small_pieces();
	test_turn();
	test_forget();
	return tap_done();
}
