#include "fetch/connection/sockets.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
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
	bool is_gone; /* the loop has done with it */
	atomic_uint users;
	struct pv_cut cut;
	uint64_t noted; /* bytes */
	struct pv_spending spending;
	struct pv_ends ends;    /* once it is kept */
	struct pv_socket *next; /* of that port of ours, or one like it */
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

struct pv_socket *pv_sockets_get(const struct pv_sockets *sockets, int fd)
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
	sockets->by_fd[place] = socket;
	pthread_mutex_unlock(&sockets->mutex);
}

static void free_unused(struct pv_socket *socket)
{
	if (socket->is_gone && !atomic_load(&socket->users))
		free(socket);
}

static void on_gone(uv_handle_t *poll)
{
	struct pv_socket *socket = poll->data;
	socket->is_gone = true;
	free_unused(socket);
}

/* Which connections are from which port */

static struct pv_socket **place_of(struct pv_sockets *sockets, uint16_t port)
{
	return &sockets->by_port[port % PV_SOCKETS_PORTS];
}

union name {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static uint16_t port_of(const union name *name)
{
	if (name->any.sa_family == AF_INET)
		return ntohs(name->v4.sin_port);
	return name->any.sa_family == AF_INET6 ? ntohs(name->v6.sin6_port) : 0;
}

static struct pv_address address_of(const union name *name)
{
	struct pv_address address = {.bits = 0};
	if (name->any.sa_family == AF_INET) {
		address.bits = 32;
		memcpy(address.bytes, &name->v4.sin_addr, 4);
	} else if (name->any.sa_family == AF_INET6) {
		address.bits = 128;
		memcpy(address.bytes, &name->v6.sin6_addr, 16);
	}
	return address;
}

static struct pv_ends ends_of(int fd)
{
	union name own = {.any = {.sa_family = AF_UNSPEC}};
	union name peer = own;
	socklen_t own_len = sizeof(own);
	socklen_t peer_len = sizeof(peer);
	getsockname(fd, &own.any, &own_len);
	getpeername(fd, &peer.any, &peer_len);
	return (struct pv_ends){.peer = address_of(&peer),
	    .peer_port = port_of(&peer),
	    .own_port = port_of(&own)};
}

static void list(struct pv_socket *socket)
{
	struct pv_socket **place;
	socket->ends = ends_of(socket->fd);
	place = place_of(socket->sockets, socket->ends.own_port);
	socket->next = *place;
	*place = socket;
}

static void unlist(struct pv_socket *socket)
{
	struct pv_socket **place =
	    place_of(socket->sockets, socket->ends.own_port);
	while (*place && *place != socket)
		place = &(*place)->next;
	if (*place)
		*place = socket->next;
}

static bool is_between(
    const struct pv_socket *socket, const struct pv_ends *ends)
{
	return socket->ends.own_port == ends->own_port &&
	       (!ends->peer_port ||
		   socket->ends.peer_port == ends->peer_port) &&
	       pv_address_equal(&socket->ends.peer, &ends->peer);
}

struct pv_socket *pv_sockets_find(
    const struct pv_sockets *sockets, const struct pv_ends *ends)
{
	struct pv_socket *socket =
	    sockets->by_port[ends->own_port % PV_SOCKETS_PORTS];
	while (socket && !is_between(socket, ends))
		socket = socket->next;
	return socket;
}

/* Watching */

static void remove_socket(struct pv_socket *socket)
{
	struct pv_sockets *sockets = socket->sockets;
	pthread_mutex_lock(&sockets->mutex);
	sockets->by_fd[socket->fd] = NULL;
	pthread_mutex_unlock(&sockets->mutex);
	if (socket->is_kept)
		unlist(socket);
	socket->fd = -1;
	uv_close((uv_handle_t *)&socket->poll, on_gone);
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
	if (status < 0 && pv_sockets_get(sockets, fd) == socket &&
	    socket->wanted)
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
	struct pv_socket *socket = pv_sockets_get(sockets, fd);
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
	struct pv_socket *socket = pv_sockets_get(sockets, fd);
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
	if (!socket || socket->is_kept)
		return;
	socket->is_kept = true;
	list(socket);
}

void pv_sockets_close(struct pv_sockets *sockets, int fd)
{
	struct pv_socket *socket = pv_sockets_get(sockets, fd);
	if (socket)
		remove_socket(socket);
	close(fd);
}

/* Who uses it */

/* A request that joins a connection after its cut was not the cause of it. */
void pv_socket_join(struct pv_socket *socket)
{
	atomic_fetch_add(&socket->users, 1);
	if (atomic_load(&socket->cut.is_made))
		atomic_store(&socket->cut.is_shared, true);
}

void pv_socket_leave(struct pv_socket *socket)
{
	atomic_fetch_sub(&socket->users, 1);
	free_unused(socket);
}

int pv_socket_fd(const struct pv_socket *socket)
{
	return socket->fd;
}

unsigned pv_socket_users(const struct pv_socket *socket)
{
	return atomic_load(&socket->users);
}

struct pv_cut *pv_socket_cut(struct pv_socket *socket)
{
	return &socket->cut;
}

uint64_t *pv_socket_noted(struct pv_socket *socket)
{
	return &socket->noted;
}

struct pv_spending *pv_sockets_spending(struct pv_sockets *sockets, int fd)
{
	struct pv_socket *socket = pv_sockets_get(sockets, fd);
	return socket ? &socket->spending : NULL;
}

void pv_sockets_hang_up(struct pv_sockets *sockets, const void *owner)
{
	for (size_t fd = 0; fd < sockets->size; fd++) {
		struct pv_socket *socket = sockets->by_fd[fd];
		if (!socket || socket->owner != owner || socket->wanted ||
		    atomic_load(&socket->users))
			continue;
		look_for(socket, 0);
		shutdown(socket->fd, SHUT_RDWR);
	}
}
