#include "fetch/connection/sockets.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void test_hang_up(void)
{
	struct scene scene;
	int other[2] = {-1, -1};
	char byte;
	begin(&scene);
	socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, other);
	pv_sockets_keep(&scene.sockets, scene.ours, &scene);
	pv_sockets_keep(&scene.sockets, other[0], &other);
	pv_sockets_hang_up(&scene.sockets, &scene);
	ok(read(scene.theirs, &byte, 1) == 0,
	    "the other side of a connection at rest is told that it is over");
	ok(read(other[1], &byte, 1) < 0, "but not that of another owner's");
	watch(&scene, CURL_POLL_IN);
	pv_sockets_hang_up(&scene.sockets, &other);
	ok(read(other[1], &byte, 1) == 0, "until its turn comes");
	pv_sockets_close(&scene.sockets, scene.ours);
	pv_sockets_close(&scene.sockets, other[0]);
	close(other[1]);
	ok(end(&scene), "and nothing stays");
}

static uint16_t port_of(int fd)
{
	struct sockaddr_storage name;
	socklen_t len = sizeof(name);
	char service[8] = "";
	getsockname(fd, (struct sockaddr *)&name, &len);
	getnameinfo((struct sockaddr *)&name, len, NULL, 0, service,
	    sizeof(service), NI_NUMERICSERV);
	return (uint16_t)strtoul(service, NULL, 10);
}

static bool bind_to(int fd, const char *address, uint16_t port)
{
	struct addrinfo *found = NULL;
	struct addrinfo wanted = {
	    .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
	const int yes = 1;
	char service[8];
	snprintf(service, sizeof(service), "%u", (unsigned)port);
	if (getaddrinfo(address, service, &wanted, &found) != 0)
		return false;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	bool is_bound = bind(fd, found->ai_addr, found->ai_addrlen) == 0;
	freeaddrinfo(found);
	return is_bound;
}

/* A connection of TCP from that port of ours (0: any) to a new one; false where
 * there is no such address. */
static bool connect_pair(
    const char *address, uint16_t own_port, int pair[2], struct pv_ends *ends)
{
	int family = strchr(address, ':') ? AF_INET6 : AF_INET;
	struct sockaddr_storage name;
	socklen_t len = sizeof(name);
	int listener = socket(family, SOCK_STREAM, 0);
	pair[0] = socket(family, SOCK_STREAM, 0);
	pair[1] = -1;
	if (bind_to(listener, address, 0) && listen(listener, 1) == 0 &&
	    bind_to(pair[0], address, own_port) &&
	    getsockname(listener, (struct sockaddr *)&name, &len) == 0 &&
	    connect(pair[0], (struct sockaddr *)&name, len) == 0)
		pair[1] = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
	pv_address_read(pv_str_of(address), &ends->peer);
	ends->peer_port = port_of(listener);
	ends->own_port = port_of(pair[0]);
	close(listener);
	return pair[1] >= 0;
}

static void test_spare(void)
{
	struct scene scene;
	char byte;
	begin(&scene);
	pv_sockets_keep(&scene.sockets, scene.ours, &scene);
	struct pv_socket *used = pv_sockets_get(&scene.sockets, scene.ours);
	pv_socket_join(used);
	pv_sockets_hang_up(&scene.sockets, &scene);
	ok(recv(scene.theirs, &byte, 1, MSG_DONTWAIT) < 0,
	    "a connection that a request uses is spared");
	pv_socket_leave(used);
	pv_sockets_hang_up(&scene.sockets, &scene);
	ok(recv(scene.theirs, &byte, 1, MSG_DONTWAIT) == 0,
	    "as long as it does");
	pv_sockets_close(&scene.sockets, scene.ours);
	ok(end(&scene), "and nothing stays");
}

static void test_users(void)
{
	struct scene scene;
	begin(&scene);
	watch(&scene, CURL_POLL_IN);
	struct pv_socket *used = pv_sockets_get(&scene.sockets, scene.ours);
	pv_socket_join(used);
	pv_socket_join(used);
	ok(pv_socket_users(used) == 2 && pv_socket_fd(used) == scene.ours,
	    "a connection may have several users");
	pv_sockets_close(&scene.sockets, scene.ours);
	uv_run(&scene.loop, UV_RUN_NOWAIT);
	pv_socket_leave(used);
	ok(pv_socket_users(used) == 1 && pv_socket_fd(used) < 0 &&
		!pv_sockets_get(&scene.sockets, scene.ours),
	    "and is known to the last of them though it is closed");
	pv_socket_leave(used);
	ok(end(&scene), "and nothing stays");
}

static bool is_found(struct scene *scene, const struct pv_ends *ends, int fd)
{
	struct pv_socket *found = pv_sockets_find(&scene->sockets, ends);
	return found && pv_socket_fd(found) == fd;
}

static void find_both(struct scene *scene, const char *address,
    const int fds[2], const struct pv_ends ends[2])
{
	struct pv_ends nowhere = ends[0];
	struct pv_ends proxied = ends[0];
	nowhere.own_port ^= PV_SOCKETS_PORTS;
	proxied.peer_port = 0;
	ok(!pv_sockets_find(&scene->sockets, &ends[0]),
	    "%s: nothing is found of what is not kept", address);
	pv_sockets_keep(&scene->sockets, fds[0], scene);
	ok(is_found(scene, &proxied, fds[0]) &&
		!pv_sockets_find(&scene->sockets, &ends[1]),
	    "a connection is found by its ends");
	pv_sockets_keep(&scene->sockets, fds[1], scene);
	ok(is_found(scene, &ends[0], fds[0]) &&
		is_found(scene, &ends[1], fds[1]),
	    "also where another one is from the same port");
	ok(!pv_sockets_find(&scene->sockets, &nowhere),
	    "and not where only its place in the table is");
	pv_sockets_close(&scene->sockets, fds[0]);
	ok(!pv_sockets_find(&scene->sockets, &ends[0]) &&
		is_found(scene, &ends[1], fds[1]),
	    "nor once it is closed");
	pv_sockets_close(&scene->sockets, fds[1]);
}

static void test_find(const char *address)
{
	struct scene scene;
	int one[2] = {-1, -1};
	int other[2] = {-1, -1};
	struct pv_ends ends[2];
	begin(&scene);
	if (connect_pair(address, 0, one, &ends[0]) &&
	    connect_pair(address, ends[0].own_port, other, &ends[1]))
		find_both(
		    &scene, address, (const int[]){one[0], other[0]}, ends);
	else
		tap_skip("a connection is found", "no such address here");
	close(one[1]);
	close(other[1]);
	close(scene.ours);
	ok(end(&scene), "and nothing stays");
}

int main(void)
{
	test_watch();
	test_unmade();
	test_rest();
	test_kept_first();
	test_close_within();
	test_hang_up();
	test_spare();
	test_users();
	test_find("127.0.0.1");
	test_find("::1");
	return tap_done();
}
