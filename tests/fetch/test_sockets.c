#include "fetch/sockets.h"

#include <netdb.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <uv.h>

#include "tap.h"

/* Pairs of sockets, of which one is watched. */
struct scene {
	uv_loop_t loop;
	struct pv_sockets sockets;
	int ours;
	int theirs;
	unsigned calls;
	int ready; /* as of the last call */
	void *owner;
	bool closes; /* what it is told of */
};

static struct scene *scene_of(void *owner)
{
	return owner;
}

static void on_ready(void *owner, int fd, int ready)
{
	struct scene *scene = scene_of(owner);
	char bytes[16];
	scene->calls++;
	scene->ready = ready;
	if (scene->closes)
		pv_sockets_close(&scene->sockets, fd);
	else
		(void)!read(fd, bytes, sizeof(bytes));
}

static void begin(struct scene *scene)
{
	int pair[2] = {-1, -1};
	*scene = (struct scene){.calls = 0};
	uv_loop_init(&scene->loop);
	pv_sockets_init(&scene->sockets, &scene->loop, on_ready);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	scene->ours = pair[0];
	scene->theirs = pair[1];
}

static bool end(struct scene *scene)
{
	close(scene->theirs);
	pv_sockets_finish(&scene->sockets);
	uv_run(&scene->loop, UV_RUN_DEFAULT);
	return uv_loop_close(&scene->loop) == 0;
}

static void watch(struct scene *scene, int wanted)
{
	pv_sockets_watch(&scene->sockets, scene->ours, wanted, scene);
}

/* How many calls a turn brings. */
static unsigned turn(struct scene *scene)
{
	unsigned before = scene->calls;
	uv_run(&scene->loop, UV_RUN_NOWAIT);
	return scene->calls - before;
}

static void say(struct scene *scene)
{
	(void)!write(scene->theirs, "x", 1);
}

static void test_watch(void)
{
	struct scene scene;
	begin(&scene);
	watch(&scene, CURL_POLL_IN);
	ok(turn(&scene) == 0, "a silent socket says nothing");
	say(&scene);
	ok(turn(&scene) == 1 && scene.ready == CURL_CSELECT_IN,
	    "one that has something to read does, and says that it is that");
	ok(turn(&scene) == 0, "once");
	watch(&scene, CURL_POLL_OUT);
	ok(turn(&scene) == 1 && scene.ready == CURL_CSELECT_OUT,
	    "and one that can be written to, if asked for");
	watch(&scene, CURL_POLL_IN);
	ok(turn(&scene) == 0, "but no longer than that");
	pv_sockets_close(&scene.sockets, scene.ours);
	ok(end(&scene), "and nothing stays when it is closed");
}

/* Before a connection is made, libcurl closes what it has done with. */
static void test_unmade(void)
{
	struct scene scene;
	begin(&scene);
	watch(&scene, CURL_POLL_OUT);
	close(scene.ours);
	pv_sockets_rest(&scene.sockets, scene.ours);
	int again = dup(scene.theirs);
	uv_poll_t poll;
	ok(again == scene.ours && uv_poll_init(&scene.loop, &poll, again) == 0,
	    "somebody else may have its number at once");
	uv_close((uv_handle_t *)&poll, NULL);
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	close(again);
	ok(end(&scene), "and nothing stays");
}

static void test_rest(void)
{
	struct scene scene;
	begin(&scene);
	watch(&scene, CURL_POLL_IN);
	pv_sockets_keep(&scene.sockets, scene.ours, &scene);
	pv_sockets_rest(&scene.sockets, scene.ours);
	ok(!uv_loop_alive(&scene.loop),
	    "a connection at rest does not keep the loop running");
	say(&scene);
	ok(turn(&scene) == 0 && turn(&scene) == 0,
	    "and nobody is told of what comes to it");
	watch(&scene, CURL_POLL_IN);
	ok(turn(&scene) == 1, "until it is wanted again");
	pv_sockets_rest(&scene.sockets, scene.ours);
	watch(&scene, CURL_POLL_IN);
	say(&scene);
	ok(turn(&scene) == 1, "and again");
	pv_sockets_close(&scene.sockets, scene.ours);
	ok(end(&scene), "and nothing stays");
}

/* A connection may be there before anybody waited for it. */
static void test_kept_first(void)
{
	struct scene scene;
	begin(&scene);
	pv_sockets_keep(&scene.sockets, scene.ours, &scene);
	watch(&scene, CURL_POLL_IN);
	pv_sockets_rest(&scene.sockets, scene.ours);
	watch(&scene, CURL_POLL_IN);
	say(&scene);
	ok(turn(&scene) == 1, "what is kept first is watched like others");
	pv_sockets_close(&scene.sockets, scene.ours);
	ok(end(&scene), "and nothing stays");
}

static void test_close_within(void)
{
	struct scene scene;
	begin(&scene);
	scene.closes = true;
	watch(&scene, CURL_POLL_IN);
	say(&scene);
	ok(turn(&scene) == 1, "a socket may be closed when it is told of");
	ok(end(&scene), "and nothing stays");
}

static const struct pv_ports none = {{0}};

static void test_hang_up(void)
{
	struct scene scene;
	int other[2] = {-1, -1};
	char byte;
	begin(&scene);
	socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, other);
	pv_sockets_keep(&scene.sockets, scene.ours, &scene);
	pv_sockets_keep(&scene.sockets, other[0], &other);
	pv_sockets_hang_up(&scene.sockets, &scene, &none);
	ok(read(scene.theirs, &byte, 1) == 0,
	    "the other side of a connection at rest is told that it is over");
	ok(read(other[1], &byte, 1) < 0, "but not that of another owner's");
	watch(&scene, CURL_POLL_IN);
	pv_sockets_hang_up(&scene.sockets, &other, &none);
	ok(read(other[1], &byte, 1) == 0, "until its turn comes");
	pv_sockets_close(&scene.sockets, scene.ours);
	pv_sockets_close(&scene.sockets, other[0]);
	close(other[1]);
	ok(end(&scene), "and nothing stays");
}

/* A connection of TCP on loopback; false where there is none of that kind. */
static bool connect_pair(const char *address, int pair[2], uint16_t *port)
{
	struct addrinfo *found = NULL;
	struct addrinfo wanted = {
	    .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
	struct sockaddr_storage name;
	socklen_t len = sizeof(name);
	char service[8] = "";
	if (getaddrinfo(address, "0", &wanted, &found) != 0)
		return false;
	int listener = socket(found->ai_family, SOCK_STREAM, 0);
	pair[0] = socket(found->ai_family, SOCK_STREAM, 0);
	pair[1] = -1;
	if (bind(listener, found->ai_addr, found->ai_addrlen) == 0 &&
	    listen(listener, 1) == 0 &&
	    getsockname(listener, (struct sockaddr *)&name, &len) == 0 &&
	    connect(pair[0], (struct sockaddr *)&name, len) == 0)
		pair[1] = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
	getsockname(pair[0], (struct sockaddr *)&name, &len);
	getnameinfo((struct sockaddr *)&name, len, NULL, 0, service,
	    sizeof(service), NI_NUMERICSERV);
	*port = (uint16_t)strtoul(service, NULL, 10);
	freeaddrinfo(found);
	close(listener);
	return pair[1] >= 0;
}

static void test_spare(const char *address)
{
	struct scene scene;
	struct pv_ports spared = {{0}};
	int pair[2] = {-1, -1};
	uint16_t port;
	char byte;
	if (!connect_pair(address, pair, &port)) {
		tap_skip("a connection is spared", "no such address here");
		close(pair[0]);
		return;
	}
	begin(&scene);
	pv_sockets_keep(&scene.sockets, pair[0], &scene);
	pv_ports_add(&spared, port);
	pv_sockets_hang_up(&scene.sockets, &scene, &spared);
	ok(read(pair[1], &byte, 1) < 0, "%s: a port may be spared", address);
	pv_sockets_hang_up(&scene.sockets, &scene, &none);
	ok(read(pair[1], &byte, 1) == 0, "or not");
	pv_sockets_close(&scene.sockets, pair[0]);
	close(pair[1]);
	close(scene.ours);
	ok(end(&scene), "and nothing stays");
}

static void test_ports(void)
{
	struct pv_ports ports = {{0}};
	unsigned count = 0;
	pv_ports_add(&ports, 0);
	pv_ports_add(&ports, 63);
	pv_ports_add(&ports, 64);
	pv_ports_add(&ports, 65535);
	for (unsigned port = 0; port < 65536; port++)
		count += pv_ports_has(&ports, (uint16_t)port);
	ok(count == 4 && pv_ports_has(&ports, 0) && pv_ports_has(&ports, 63) &&
		pv_ports_has(&ports, 64) && pv_ports_has(&ports, 65535),
	    "a set of ports has those that were added");
}

int main(void)
{
	test_watch();
	test_unmade();
	test_rest();
	test_kept_first();
	test_close_within();
	test_hang_up();
	test_ports();
	test_spare("127.0.0.1");
	test_spare("::1");
	return tap_done();
}
