#ifndef PAVANE_FETCH_CONNECTION_SOCKETS_H
#define PAVANE_FETCH_CONNECTION_SOCKETS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curl/curl.h>

#include "base/address.h"

struct uv_loop_s;

/* The sockets of libcurl's connections, each with a watcher of the loop's.
 *
 * libcurl says that it has done with a socket after each request, and that it
 * wants it again with the next. A watcher stays on a connection that was made
 * until the socket is closed, and goes on watching: that spares four system
 * calls a request. Before a connection is made libcurl closes sockets without
 * a word, so there the watcher goes as soon as libcurl has done with it. A
 * connection that rests does not keep the loop running.
 *
 * Requests join the connection that they use, of which there may be several
 * (HTTP/2). What is known of it stays until the last of them has left, however
 * long its socket has been closed.
 *
 * All of it is one thread's but for what is asked under the mutex: as long as
 * that is held no socket is closed, so that its number means the same
 * connection.
 */
typedef void (*pv_socket_fn)(void *owner, int fd, int ready);

struct pv_socket;

/* libcurl says of a kept connection from which port of ours it is, and to which
 * address; two to different places may well be from one port. */
struct pv_ends {
	struct pv_address peer;
	uint16_t peer_port; /* 0: any, where a proxy leads there */
	uint16_t own_port;
};

#define PV_SOCKETS_PORTS 1024

struct pv_sockets {
	struct uv_loop_s *loop;
	pv_socket_fn on_ready;
	struct pv_socket *by_port[PV_SOCKETS_PORTS]; /* connections, by the
							port of ours */
	pthread_mutex_t mutex;                       /* for what follows */
	struct pv_socket **by_fd;
	size_t size;
};

/* What reading from a connection has cost, by the clock, and what came of
 * it. */
struct pv_spending {
	uint64_t ns;
	uint64_t guessed_ns; /* of that, what another's may have been */
	uint64_t body_bytes;
};

/* What became of one that was cut off (cuts.h). */
struct pv_cut {
	atomic_bool is_made;
	atomic_bool is_shared; /* several requests were on it */
};

void pv_sockets_init(
    struct pv_sockets *sockets, struct uv_loop_s *loop, pv_socket_fn on_ready);

/* Every socket must have been closed. */
void pv_sockets_finish(struct pv_sockets *sockets);

/* Calls on_ready(owner, fd, ready) from now on when what is wanted is there
 * (CURL_POLL_IN, _OUT, _INOUT); `ready` says what, as CURL_CSELECT_, or is 0
 * where only libcurl can see it. Gives 0, or the error that the loop has with
 * it. */
int pv_sockets_watch(
    struct pv_sockets *sockets, int fd, int wanted, void *owner);

/* libcurl has done with it, for now or for good. */
void pv_sockets_rest(struct pv_sockets *sockets, int fd);

/* A connection was made on it. */
void pv_sockets_keep(struct pv_sockets *sockets, int fd, void *owner);

/* Closes it, whether it is watched or not. */
void pv_sockets_close(struct pv_sockets *sockets, int fd);

/* The socket of that number; NULL if it is none of these. By its own thread, or
 * by any under the mutex. */
struct pv_socket *pv_sockets_get(const struct pv_sockets *sockets, int fd);

/* The kept connection between those ends; NULL if there is none. */
struct pv_socket *pv_sockets_find(
    const struct pv_sockets *sockets, const struct pv_ends *ends);

/* A request uses it, or no more. */
void pv_socket_join(struct pv_socket *socket);
void pv_socket_leave(struct pv_socket *socket);

/* Its number; negative once it is closed. */
int pv_socket_fd(const struct pv_socket *socket);

/* How many requests use it; any thread's, like whether it was cut off. */
unsigned pv_socket_users(const struct pv_socket *socket);
struct pv_cut *pv_socket_cut(struct pv_socket *socket);

/* How many bytes had been read from it when that was last noted; under the
 * mutex. */
uint64_t *pv_socket_noted(struct pv_socket *socket);

/* What the connection has cost and brought of late (fair_share.h); NULL if it
 * is none of these. */
struct pv_spending *pv_sockets_spending(struct pv_sockets *sockets, int fd);

/* Tells the other side of the owner's kept connections that they are over, but
 * of those that a request uses; libcurl closes them when it next looks. */
void pv_sockets_hang_up(struct pv_sockets *sockets, const void *owner);

#endif
