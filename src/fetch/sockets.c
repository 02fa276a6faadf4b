#include "fetch/sockets.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <uv.h>

#include "base/alloc.h"

struct pv_socket {
	uv_poll_t poll;
	struct pv_sockets *sockets;
	void *owner;
	int fd;
	int wanted;  /* CURL_POLL_; 0: libcurl has done with it */
	int watched; /* UV_; what the loop looks for */
	bool is_kept;
	bool is_cut;
	uint64_t id;
	uint64_t received; /* bytes, when that was noted */
	struct pv_spending spending;
};

void pv_sockets_init(
    struct pv_sockets *sockets, struct uv_loop_s *loop, pv_socket_fn on_ready)
{
	*sockets = (struct pv_sockets){.loop = loop, .on_ready = on_ready};
	pthread_mutex_init(&sockets->mutex, NULL);
}

void pv_sockets_finish(struct pv_sockets *sockets)
{
	free(sockets->by_fd);
	pthread_mutex_destroy(&sockets->mutex);
}

static struct pv_socket *get(const struct pv_sockets *sockets, int fd)
{
	if (fd < 0 || (size_t)fd >= sockets->size)
		return NULL;
	return sockets->by_fd[fd];
}

static void put(struct pv_sockets *sockets, struct pv_socket *socket)
{
	size_t place = (size_t)socket->fd;
	size_t size = sockets->size;
	pthread_mutex_lock(&sockets->mutex);
	while (place >= size)
		size = size ? size * 2 : 64;
	if (size > sockets->size) {
		sockets->by_fd = pv_realloc_array(
		    sockets->by_fd, size, sizeof(*sockets->by_fd));
		for (size_t i = sockets->size; i < size; i++)
			sockets->by_fd[i] = NULL;
		sockets->size = size;
	}
	socket->id = ++sockets->last_id;
	sockets->by_fd[place] = socket;
	pthread_mutex_unlock(&sockets->mutex);
}

static void free_socket(uv_handle_t *poll)
{
	free(poll->data);
}

static void remove_socket(struct pv_socket *socket)
{
	struct pv_sockets *sockets = socket->sockets;
	pthread_mutex_lock(&sockets->mutex);
	sockets->by_fd[socket->fd] = NULL;
	pthread_mutex_unlock(&sockets->mutex);
	uv_close((uv_handle_t *)&socket->poll, free_socket);
}

/* Starting a watcher again costs system calls even if it looks for the same
 * as before. */
static void on_event(uv_poll_t *poll, int status, int events);

static int look_for(struct pv_socket *socket, int events)
{
	if (socket->watched == events)
		return 0;
	socket->watched = events;
	return events ? uv_poll_start(&socket->poll, events, on_event)
		      : uv_poll_stop(&socket->poll);
}

static int events_of(int wanted)
{
	return (wanted & CURL_POLL_IN ? UV_READABLE : 0) |
	       (wanted & CURL_POLL_OUT ? UV_WRITABLE : 0);
}

static int ready_of(int events)
{
	return (events & UV_READABLE ? CURL_CSELECT_IN : 0) |
	       (events & UV_WRITABLE ? CURL_CSELECT_OUT : 0);
}

/* Nobody waits for what a resting connection brings, which is its end: libcurl
 * will see that when it wants it again. On an error the loop has stopped
 * watching by itself. */
static void on_event(uv_poll_t *poll, int status, int events)
{
	struct pv_socket *socket = poll->data;
	struct pv_sockets *sockets = socket->sockets;
	int fd = socket->fd;
	if (status < 0)
		socket->watched = 0;
	if (!socket->wanted) {
		look_for(socket, 0);
		return;
	}
	sockets->on_ready(socket->owner, fd, status < 0 ? 0 : ready_of(events));
	if (status < 0 && get(sockets, fd) == socket && socket->wanted)
		look_for(socket, events_of(socket->wanted));
}

static struct pv_socket *add(struct pv_sockets *sockets, int fd, void *owner)
{
	struct pv_socket *socket = pv_alloc(sizeof(*socket));
	socket->sockets = sockets;
	socket->owner = owner;
	socket->fd = fd;
	socket->poll.data = socket;
	if (uv_poll_init(sockets->loop, &socket->poll, fd) != 0) {
		free(socket);
		return NULL;
	}
	put(sockets, socket);
	return socket;
}

static struct pv_socket *get_or_add(
    struct pv_sockets *sockets, int fd, void *owner)
{
	struct pv_socket *socket = get(sockets, fd);
	return socket ? socket : add(sockets, fd, owner);
}

int pv_sockets_watch(
    struct pv_sockets *sockets, int fd, int wanted, void *owner)
{
	struct pv_socket *socket = get_or_add(sockets, fd, owner);
	if (!socket)
		return UV_ENOMEM;
	socket->wanted = wanted;
	uv_ref((uv_handle_t *)&socket->poll);
	return look_for(socket, events_of(wanted));
}

void pv_sockets_rest(struct pv_sockets *sockets, int fd)
{
	struct pv_socket *socket = get(sockets, fd);
	if (!socket)
		return;
	socket->wanted = 0;
	uv_unref((uv_handle_t *)&socket->poll);
	if (!socket->is_kept)
		remove_socket(socket);
}

/* A connection to a near host may be there before libcurl has ever waited for
 * it. */
void pv_sockets_keep(struct pv_sockets *sockets, int fd, void *owner)
{
	struct pv_socket *socket = get_or_add(sockets, fd, owner);
	if (socket)
		socket->is_kept = true;
}

void pv_sockets_close(struct pv_sockets *sockets, int fd)
{
	struct pv_socket *socket = get(sockets, fd);
	if (socket)
		remove_socket(socket);
	close(fd);
}

uint64_t pv_sockets_id(const struct pv_sockets *sockets, int fd)
{
	const struct pv_socket *socket = get(sockets, fd);
	return socket ? socket->id : 0;
}

bool pv_sockets_is_cut(const struct pv_sockets *sockets, int fd)
{
	return get(sockets, fd)->is_cut;
}

void pv_sockets_set_cut(struct pv_sockets *sockets, int fd)
{
	get(sockets, fd)->is_cut = true;
}

uint64_t pv_sockets_received(const struct pv_sockets *sockets, int fd)
{
	return get(sockets, fd)->received;
}

void pv_sockets_set_received(struct pv_sockets *sockets, int fd, uint64_t bytes)
{
	get(sockets, fd)->received = bytes;
}

struct pv_spending *pv_sockets_spending(struct pv_sockets *sockets, int fd)
{
	struct pv_socket *socket = get(sockets, fd);
	return socket ? &socket->spending : NULL;
}

uint16_t pv_sockets_own_port(int fd)
{
	union {
		struct sockaddr any;
		struct sockaddr_in ipv4;
		struct sockaddr_in6 ipv6;
	} address = {.any = {.sa_family = AF_UNSPEC}};
	socklen_t len = sizeof(address);
	getsockname(fd, &address.any, &len);
	if (address.any.sa_family == AF_INET)
		return ntohs(address.ipv4.sin_port);
	if (address.any.sa_family == AF_INET6)
		return ntohs(address.ipv6.sin6_port);
	return 0;
}

void pv_sockets_hang_up(struct pv_sockets *sockets, const void *owner,
    const struct pv_ports *spared)
{
	for (size_t fd = 0; fd < sockets->size; fd++) {
		struct pv_socket *socket = sockets->by_fd[fd];
		if (!socket || socket->owner != owner || socket->wanted ||
		    pv_ports_has(spared, pv_sockets_own_port(socket->fd)))
			continue;
		look_for(socket, 0);
		shutdown(socket->fd, SHUT_RDWR);
	}
}
