#include "fetch/connection/cuts.h"

#include <uv.h>

#include "fetch/connected.h"
#include "tap.h"

#define MANY 100

struct scene {
	uv_loop_t loop;
	struct pv_sockets sockets;
};

static void on_ready(void *owner, int fd, int ready)
{
	(void)owner, (void)fd, (void)ready;
}

static void begin(struct scene *scene)
{
	uv_loop_init(&scene->loop);
	pv_sockets_init(&scene->sockets, &scene->loop, on_ready);
}

static void end(struct scene *scene)
{
	uv_run(&scene->loop, UV_RUN_DEFAULT);
	pv_sockets_finish(&scene->sockets);
	ok(uv_loop_close(&scene->loop) == 0, "nothing stays");
}

static struct pv_socket *get(
    struct scene *scene, const struct connection *connection)
{
	return pv_sockets_get(&scene->sockets, connection->ours);
}

static void test_cut(void)
{
	struct scene scene;
	static char bytes[256 * 1024];
	begin(&scene);
	struct connection one = connection_keep(&scene.sockets);
	struct connection other = connection_keep(&scene.sockets);
	bool has_sent = send(one.theirs, bytes, sizeof(bytes), 0) > 0;
	ok(has_sent && pv_cuts_add(&scene.sockets, one.ours),
	    "a connection can be cut off");
	ok(connection_has_ended(one.ours),
	    "what the kernel held of it is thrown away, and it ends for us");
	ok(connection_has_ended(one.theirs), "and for the other side");
	ok(!connection_has_ended(other.ours) &&
		!connection_has_ended(other.theirs),
	    "but not another");
	ok(!pv_cuts_add(&scene.sockets, one.ours), "it is cut off once");
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
	pv_cuts_add(&scene.sockets, one.ours);
	pv_sockets_close(&scene.sockets, one.ours);
	struct connection next = connection_make();
	ok(next.ours == one.ours && !pv_cuts_add(&scene.sockets, next.ours) &&
		!connection_has_ended(next.theirs),
	    "one that was closed is not cut off, nor who has its number now");
	pv_sockets_keep(&scene.sockets, next.ours, &scene);
	ok(pv_cuts_judge(get(&scene, &next)) == PV_CUT_NONE,
	    "the next connection of that number is not to blame");
	ok(pv_cuts_add(&scene.sockets, next.ours) &&
		connection_has_ended(next.theirs),
	    "and can be cut off itself");
	ok(!pv_cuts_add(&scene.sockets, -1) &&
		!pv_cuts_add(&scene.sockets, 1 << 20),
	    "a number that is no socket's is none");
	connection_close(&scene.sockets, &next);
	close(one.theirs);
	end(&scene);
}

static void test_during(void)
{
	struct scene scene;
	atomic_uint serial = 5;
	begin(&scene);
	struct connection one = connection_keep(&scene.sockets);
	ok(!pv_cuts_add_during(&scene.sockets, one.ours, &serial, 3) &&
		!connection_has_ended(one.theirs),
	    "once the call has ended nobody is cut off for it");
	ok(pv_cuts_add_during(&scene.sockets, one.ours, &serial, 5) &&
		connection_has_ended(one.theirs),
	    "but during it");
	connection_close(&scene.sockets, &one);
	end(&scene);
}

static void test_alone(void)
{
	struct scene scene;
	begin(&scene);
	struct connection one = connection_keep(&scene.sockets);
	struct connection other = connection_keep(&scene.sockets);
	struct pv_socket *used = get(&scene, &one);
	pv_socket_join(used);
	ok(pv_cuts_judge(used) == PV_CUT_NONE &&
		pv_cuts_judge(NULL) == PV_CUT_NONE,
	    "nobody is to blame before anything was cut off");
	pv_cuts_add(&scene.sockets, one.ours);
	ok(pv_cuts_judge(used) == PV_CUT_BLAMED,
	    "who was alone on it is to blame");
	ok(pv_cuts_judge(get(&scene, &other)) == PV_CUT_NONE,
	    "and nobody on another connection is");
	connection_close(&scene.sockets, &one);
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	struct connection next = connection_keep(&scene.sockets);
	ok(next.ours == one.ours &&
		pv_cuts_judge(get(&scene, &next)) == PV_CUT_NONE,
	    "nor on the next of that number");
	ok(pv_cuts_judge(used) == PV_CUT_BLAMED && pv_socket_fd(used) < 0,
	    "who was on it is to blame though it is closed");
	pv_socket_leave(used);
	connection_close(&scene.sockets, &next);
	connection_close(&scene.sockets, &other);
	end(&scene);
}

/* Who is on a connection before it is cut off, and after that. */
static const struct {
	const char *claim;
	unsigned before;
	unsigned left; /* of those, when it is judged */
	unsigned after;
	enum pv_cut_verdict verdict;
} shared[] = {
    {"where two were on it, each is a bystander", 2, 2, 0, PV_CUT_BYSTANDER},
    {"also the last of them", 2, 1, 0, PV_CUT_BYSTANDER},
    {"and where one came when it was cut off", 1, 1, 1, PV_CUT_BYSTANDER},
    {"who came only then is not to blame", 1, 0, 1, PV_CUT_BYSTANDER},
};

static void test_shared(void)
{
	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++) {
		struct scene scene;
		begin(&scene);
		struct connection one = connection_keep(&scene.sockets);
		struct pv_socket *used = get(&scene, &one);
		unsigned users = shared[i].before;
		for (unsigned n = 0; n < shared[i].before; n++)
			pv_socket_join(used);
		pv_cuts_add(&scene.sockets, one.ours);
		for (; users > shared[i].left; users--)
			pv_socket_leave(used);
		for (unsigned n = 0; n < shared[i].after; n++, users++)
			pv_socket_join(used);
		ok(pv_cuts_judge(used) == shared[i].verdict, "%s",
		    shared[i].claim);
		connection_close(&scene.sockets, &one);
		for (; users; users--)
			pv_socket_leave(used);
		end(&scene);
	}
}

/* However many are cut off after it, before it is judged. */
static void test_many(void)
{
	struct scene scene;
	struct pv_socket *used[MANY];
	unsigned blamed = 0;
	begin(&scene);
	for (size_t i = 0; i < MANY; i++) {
		struct connection one = connection_keep(&scene.sockets);
		used[i] = get(&scene, &one);
		pv_socket_join(used[i]);
		pv_cuts_add(&scene.sockets, one.ours);
		connection_close(&scene.sockets, &one);
	}
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	for (size_t i = 0; i < MANY; i++) {
		blamed += pv_cuts_judge(used[i]) == PV_CUT_BLAMED;
		pv_socket_leave(used[i]);
	}
	ok(blamed == MANY, "none is forgotten while somebody is on it");
	end(&scene);
}

static bool is_less_than_all(struct pv_sockets *sockets, int fd, uint64_t bytes)
{
	(void)sockets, (void)fd;
	return bytes < 250000;
}

static void test_greediest(void)
{
	struct scene scene;
	begin(&scene);
	struct connection one = connection_keep(&scene.sockets);
	struct connection other = connection_keep(&scene.sockets);
	connection_flood(&one, 300000);
	pv_cuts_mark(&scene.sockets);
	connection_flood(&other, 30000);
	ok(pv_cuts_find_greediest(&scene.sockets, NULL) == -1,
	    "nobody is greedy who has received little since the mark");
	connection_flood(&other, 120000);
	ok(pv_cuts_find_greediest(&scene.sockets, NULL) == other.ours,
	    "it is the one that has received much since then");
	connection_flood(&one, 300000);
	ok(pv_cuts_find_greediest(&scene.sockets, NULL) == one.ours,
	    "of two, the one that has received more");
	ok(pv_cuts_find_greediest(&scene.sockets, is_less_than_all) ==
		other.ours,
	    "of those that might be it");
	pv_cuts_add(&scene.sockets, one.ours);
	ok(pv_cuts_find_greediest(&scene.sockets, NULL) == other.ours,
	    "and that was not cut off");
	connection_close(&scene.sockets, &one);
	connection_close(&scene.sockets, &other);
	end(&scene);
}

/* As of one that is held back: the kernel goes on receiving. */
static void test_unread(void)
{
	struct scene scene;
	static char bytes[192 * 1024];
	const int much = 1 << 20;
	begin(&scene);
	struct connection one = connection_keep(&scene.sockets);
	setsockopt(one.theirs, SOL_SOCKET, SO_SNDBUF, &much, sizeof(much));
	pv_cuts_mark(&scene.sockets);
	ssize_t sent = send(one.theirs, bytes, sizeof(bytes), 0);
	ok(sent > 128 * 1024 &&
		pv_cuts_find_greediest(&scene.sockets, NULL) == -1,
	    "nobody is greedy from whom nothing was read, whatever came");
	while (recv(one.ours, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		continue;
	ok(pv_cuts_find_greediest(&scene.sockets, NULL) == one.ours,
	    "but who is read from");
	connection_close(&scene.sockets, &one);
	end(&scene);
}

int main(void)
{
	test_cut();
	test_closed();
	test_during();
	test_alone();
	test_shared();
	test_many();
	test_greediest();
	test_unread();
	return tap_done();
}
