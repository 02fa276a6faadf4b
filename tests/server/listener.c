#include "server/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "server/connection.h"
#include "server/inside.h"

#define BACKLOG 4096
#define ACCEPTS_MAX 64
#define PORT_TRIES 20
#define PAUSE_US 10000

static const char *const usual_addresses[] = {"127.0.0.1", NULL};

static bool is_everywhere(const char *address)
{
	return strcmp(address, "127.0.0.0/8") == 0;
}

static bool read_place(
    const char *address, uint16_t port, struct sockaddr_storage *place)
{
	struct sockaddr_in *ip4 = (struct sockaddr_in *)place;
	struct sockaddr_in6 *ip6 = (struct sockaddr_in6 *)place;
	memset(place, 0, sizeof(*place));
	if (is_everywhere(address) ||
	    inet_pton(AF_INET, address, &ip4->sin_addr) == 1) {
		ip4->sin_family = AF_INET;
		ip4->sin_port = htons(port);
		return true;
	}
	ip6->sin6_family = AF_INET6;
	ip6->sin6_port = htons(port);
	return inet_pton(AF_INET6, address, &ip6->sin6_addr) == 1;
}

/* A socket for all addresses is bound to the loopback device, so that nobody
 * outside reaches it even for a moment. The kernel tells when what is received
 * arrived. */
static void prepare(int fd, const char *address)
{
	int yes = 1;
	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof(yes));
	if (is_everywhere(address))
		setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3);
	if (strchr(address, ':'))
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof(yes));
}

/* What was left of a server's connections does not keep another from its port.
 * But a port that is any must be nobody's when it is chosen. */
static bool listen_at(
    int fd, const struct sockaddr_storage *place, bool is_port_given)
{
	int yes = 1;
	if (is_port_given)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(fd, (const struct sockaddr *)place, sizeof(*place)) != 0)
		return false;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	return listen(fd, BACKLOG) == 0;
}

static int open_at(const char *address, uint16_t port, bool is_port_given)
{
	struct sockaddr_storage place;
	if (!read_place(address, port, &place)) {
		errno = EADDRNOTAVAIL;
		return -1;
	}
	int fd = socket(
	    place.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	prepare(fd, address);
	if (listen_at(fd, &place, is_port_given))
		return fd;
	int error = errno;
	close(fd);
	errno = error;
	return -1;
}

static uint16_t port_of(int fd)
{
	struct sockaddr_storage place = {.ss_family = 0};
	socklen_t len = sizeof(place);
	getsockname(fd, (struct sockaddr *)&place, &len);
	/* It stands at the same place for both families. */
	return ntohs(((struct sockaddr_in *)&place)->sin_port);
}

static void close_all(int *fds, size_t count)
{
	int error = errno;
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
	errno = error;
}

/* All at the port that the first gets. */
static bool open_all(
    const char *const *addresses, size_t count, uint16_t *port, int *fds)
{
	uint16_t wanted = *port;
	for (size_t i = 0; i < count; i++) {
		fds[i] = open_at(addresses[i], wanted, *port != 0);
		if (fds[i] < 0) {
			close_all(fds, i);
			return false;
		}
		if (!wanted)
			wanted = port_of(fds[i]);
	}
	*port = wanted;
	return true;
}

static struct pv_address address_of(const struct sockaddr_storage *place)
{
	struct pv_address address = {.bits = 32};
	if (place->ss_family == AF_INET) {
		const struct sockaddr_in *ip4 =
		    (const struct sockaddr_in *)place;
		memcpy(address.bytes, &ip4->sin_addr, 4);
	} else {
		const struct sockaddr_in6 *ip6 =
		    (const struct sockaddr_in6 *)place;
		address.bits = 128;
		memcpy(address.bytes, &ip6->sin6_addr, 16);
	}
	return address;
}

static void take(struct listener *listener, int fd, uint16_t peer_port)
{
	int yes = 1;
	struct sockaddr_storage place = {.ss_family = AF_INET};
	socklen_t len = sizeof(place);
	getsockname(fd, (struct sockaddr *)&place, &len);
	struct server_accept accept = {
	    .address = address_of(&place),
	    .peer_port = peer_port,
	    .is_tls = listener->is_tls,
	    .at_us = loop_now_us(),
	};
	if (pv_address_kind(&accept.address) != PV_ADDRESS_LOOPBACK) {
		close(fd);
		return;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	connection_open(listener->server, fd, &accept);
}

static void on_pause_over(struct loop_time *time)
{
	struct listener *listener =
	    (struct listener *)((char *)time -
				offsetof(struct listener, pause));
	loop_change(&listener->server->loop, &listener->watch, EPOLLIN);
}

static void on_event(struct loop_watch *watch, uint32_t events)
{
	struct listener *listener = (struct listener *)watch;
	struct loop *loop = &listener->server->loop;
	(void)events;
	for (int i = 0; i < ACCEPTS_MAX; i++) {
		struct sockaddr_storage peer;
		socklen_t len = sizeof(peer);
		int fd = accept4(watch->fd, (struct sockaddr *)&peer, &len,
		    SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			take(listener, fd,
			    ntohs(((struct sockaddr_in *)&peer)->sin_port));
			continue;
		}
		if (errno == EMFILE || errno == ENFILE) {
			loop_change(loop, watch, 0);
			loop_set(
			    loop, &listener->pause, loop_now_us() + PAUSE_US);
		}
		return;
	}
}

static void add_all(
    struct server *server, const int *fds, size_t count, bool is_tls)
{
	size_t before = server->listener_count;
	server->listeners = pv_realloc_array(
	    server->listeners, before + count, sizeof(*server->listeners));
	for (size_t i = 0; i < count; i++) {
		server->listeners[before + i] = (struct listener){
		    .watch = {.on_event = on_event, .fd = fds[i]},
		    .pause = {.on_time = on_pause_over},
		    .server = server,
		    .is_tls = is_tls,
		};
	}
	server->listener_count += count;
}

bool listeners_open(struct server *server, bool is_tls, uint16_t *port)
{
	const char *const *addresses =
	    server->plan.addresses ? server->plan.addresses : usual_addresses;
	size_t count = 0;
	while (addresses[count])
		count++;
	int *fds = pv_alloc_array(count, sizeof(*fds));
	bool is_open = false;
	for (int i = 0; i < PORT_TRIES && !is_open; i++) {
		is_open = open_all(addresses, count, port, fds);
		if (*port || errno != EADDRINUSE)
			break;
	}
	if (is_open)
		add_all(server, fds, count, is_tls);
	free(fds);
	return is_open;
}

bool listeners_watch(struct server *server)
{
	for (size_t i = 0; i < server->listener_count; i++) {
		if (!loop_watch(
			&server->loop, &server->listeners[i].watch, EPOLLIN))
			return false;
	}
	return true;
}

void listeners_close(struct server *server)
{
	for (size_t i = 0; i < server->listener_count; i++)
		close(server->listeners[i].watch.fd);
	free(server->listeners);
}
