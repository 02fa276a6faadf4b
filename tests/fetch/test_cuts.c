#include "fetch/cuts.h"

#include <uv.h>

#include "fetch/connected.h"
#include "tap.h"

struct scene {
	uv_loop_t loop;
	struct pv_sockets sockets;
	struct pv_cuts cuts;
};

static void on_ready(void *owner, int fd, int ready)
{
	(void)owner, (void)fd, (void)ready;
}

static void begin(struct scene *scene)
{
	uv_loop_init(&scene->loop);
	pv_sockets_init(&scene->sockets, &scene->loop, on_ready);
	pv_cuts_init(&scene->cuts, &scene->sockets);
}

static void end(struct scene *scene)
{
	uv_run(&scene->loop, UV_RUN_DEFAULT);
	pv_sockets_finish(&scene->sockets);
	ok(uv_loop_close(&scene->loop) == 0, "nothing stays");
}

static void test_cut(void)
{
	struct scene scene;
	static char bytes[256 * 1024];
	begin(&scene);
	struct connection one = connection_keep(&scene.sockets);
	struct connection other = connection_keep(&scene.sockets);
	bool has_sent = send(one.theirs, bytes, sizeof(bytes), 0) > 0;
	ok(has_sent && pv_cuts_add(&scene.cuts, one.ours),
	    "a connection can be cut off");
	ok(connection_has_ended(one.ours),
	    "what the kernel held of it is thrown away, and it ends for us");
	ok(connection_has_ended(one.theirs), "and for the other side");
	ok(!connection_has_ended(other.ours) &&
		!connection_has_ended(other.theirs),
	    "but not another");
	ok(!pv_cuts_add(&scene.cuts, one.ours) &&
		atomic_load(&scene.cuts.count) == 1,
	    "it is cut off once");
	connection_close(&scene.sockets, &one);
	connection_close(&scene.sockets, &other);
	end(&scene);
}

/* A number is used again as soon as it is free. */
static void test_closed(void)
{
	struct scene scene;
	begin(&scene);
	struct connection one = connection_keep(&scene.sockets);
	pv_cuts_add(&scene.cuts, one.ours);
	pv_sockets_close(&scene.sockets, one.ours);
	struct connection next = connection_make();
	ok(next.ours == one.ours && !pv_cuts_add(&scene.cuts, next.ours) &&
		!connection_has_ended(next.theirs),
	    "one that was closed is not cut off, nor who has its number now");
	pv_sockets_keep(&scene.sockets, next.ours, &scene);
	ok(pv_cuts_judge(&scene.cuts, pv_sockets_id(&scene.sockets, next.ours),
	       0, 1) == PV_CUT_NONE,
	    "the next connection of that number is not to blame");
	ok(pv_cuts_add(&scene.cuts, next.ours) &&
		connection_has_ended(next.theirs),
	    "and can be cut off itself");
	ok(!pv_cuts_add(&scene.cuts, -1) && !pv_cuts_add(&scene.cuts, 1 << 20),
	    "a number that is no socket's is none");
	connection_close(&scene.sockets, &next);
	close(one.theirs);
	end(&scene);
}

/* Each asks about one and the same connection, in this order. */
static const struct {
	const char *claim;
	bool knows_connection;
	bool knows_port;
	unsigned users;
	enum pv_cut_verdict verdict;
} cases[] = {
    {"who was alone on it is to blame", true, false, 1, PV_CUT_BLAMED},
    {"also where only its port is known", false, true, 1, PV_CUT_BLAMED},
    {"or where both are", true, true, 1, PV_CUT_BLAMED},
    {"nobody is to blame of whom neither is known", false, false, 1,
	PV_CUT_NONE},
    {"where two were on it, one is a bystander", true, false, 2,
	PV_CUT_BYSTANDER},
    {"and so is the last of them", true, false, 1, PV_CUT_BYSTANDER},
    {"also by its port", false, true, 1, PV_CUT_BYSTANDER},
};

static void test_judge(void)
{
	struct scene scene;
	begin(&scene);
	struct connection one = connection_keep(&scene.sockets);
	struct connection other = connection_keep(&scene.sockets);
	uint64_t id = pv_sockets_id(&scene.sockets, one.ours);
	uint64_t other_id = pv_sockets_id(&scene.sockets, other.ours);
	uint16_t port = pv_sockets_own_port(one.ours);
	ok(pv_cuts_judge(&scene.cuts, id, port, 1) == PV_CUT_NONE,
	    "nobody is to blame before anything was cut off");
	pv_cuts_add(&scene.cuts, one.ours);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(pv_cuts_judge(&scene.cuts,
		       cases[i].knows_connection ? id : 0,
		       cases[i].knows_port ? port : 0,
		       cases[i].users) == cases[i].verdict,
		    "%s", cases[i].claim);
	ok(pv_cuts_judge(&scene.cuts, other_id, port, 1) == PV_CUT_NONE,
	    "another connection is not, though it has the port");
	connection_close(&scene.sockets, &one);
	connection_close(&scene.sockets, &other);
	end(&scene);
}

static void test_ring(void)
{
	struct scene scene;
	uint64_t ids[PV_CUTS_MAX + 1];
	unsigned known = 0;
	begin(&scene);
	for (size_t i = 0; i <= PV_CUTS_MAX; i++) {
		struct connection one = connection_keep(&scene.sockets);
		ids[i] = pv_sockets_id(&scene.sockets, one.ours);
		pv_cuts_add(&scene.cuts, one.ours);
		connection_close(&scene.sockets, &one);
	}
	for (size_t i = 1; i <= PV_CUTS_MAX; i++)
		known +=
		    pv_cuts_judge(&scene.cuts, ids[i], 0, 1) == PV_CUT_BLAMED;
	ok(known == PV_CUTS_MAX, "the latest are remembered, closed or not");
	ok(pv_cuts_judge(&scene.cuts, ids[0], 0, 1) == PV_CUT_NONE,
	    "and the one before them forgotten");
	end(&scene);
}

static bool is_less_than_all(struct pv_cuts *cuts, int fd, uint64_t received)
{
	(void)cuts, (void)fd;
	return received < 250000;
}

static void test_greediest(void)
{
	struct scene scene;
	begin(&scene);
	struct connection one = connection_keep(&scene.sockets);
	struct connection other = connection_keep(&scene.sockets);
	connection_flood(&one, 300000);
	pv_cuts_mark(&scene.cuts);
	connection_flood(&other, 30000);
	ok(pv_cuts_find_greediest(&scene.cuts, NULL) == -1,
	    "nobody is greedy who has received little since the mark");
	connection_flood(&other, 120000);
	ok(pv_cuts_find_greediest(&scene.cuts, NULL) == other.ours,
	    "it is the one that has received much since then");
	connection_flood(&one, 300000);
	ok(pv_cuts_find_greediest(&scene.cuts, NULL) == one.ours,
	    "of two, the one that has received more");
	ok(pv_cuts_find_greediest(&scene.cuts, is_less_than_all) == other.ours,
	    "of those that might be it");
	pv_cuts_add(&scene.cuts, one.ours);
	ok(pv_cuts_find_greediest(&scene.cuts, NULL) == other.ours,
	    "and that was not cut off");
	connection_close(&scene.sockets, &one);
	connection_close(&scene.sockets, &other);
	end(&scene);
}

int main(void)
{
	test_cut();
	test_closed();
	test_judge();
	test_ring();
	test_greediest();
	return tap_done();
}
