#ifndef PAVANE_FETCH_SOCKETS_H
#define PAVANE_FETCH_SOCKETS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curl/curl.h>

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
 * All of it is one thread's but for what is asked under the mutex: as long as
 * that is held no socket is closed, so that its number means the same
 * connection.
 */
typedef void (*pv_socket_fn)(void *owner, int fd, int ready);

struct pv_sockets {
	struct uv_loop_s *loop;
	pv_socket_fn on_ready;
	pthread_mutex_t mutex; /* for what follows */
	struct pv_socket **by_fd;
	size_t size;
	uint64_t last_id;
};

/* What reading from a connection has cost, by the clock, and what came of
 * it. */
struct pv_spending {
	uint64_t ns;
	uint64_t body_bytes;
};

/* Ports of our side. */
struct pv_ports {
	uint64_t bits[65536 / 64];
};

static inline void pv_ports_add(struct pv_ports *ports, uint16_t port)
{
	ports->bits[port / 64] |= UINT64_C(1) << port % 64;
}

static inline bool pv_ports_has(const struct pv_ports *ports, uint16_t port)
{
	return ports->bits[port / 64] >> port % 64 & 1;
}

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

/* A number that no other connection of these sockets ever has; 0 if it is none
 * of them. By its own thread, or by any under the mutex, like what follows. */
uint64_t pv_sockets_id(const struct pv_sockets *sockets, int fd);

/* The port of our side; 0 if it has none. */
uint16_t pv_sockets_own_port(int fd);

/* Whether its connection was cut off (cuts.h), and how much it had received
 * when that was last noted. Under the mutex; the socket is one of these. */
bool pv_sockets_is_cut(const struct pv_sockets *sockets, int fd);
void pv_sockets_set_cut(struct pv_sockets *sockets, int fd);
uint64_t pv_sockets_received(const struct pv_sockets *sockets, int fd);
void pv_sockets_set_received(
    struct pv_sockets *sockets, int fd, uint64_t bytes);

/* What the connection has cost and brought of late (fair_share.h); NULL if it
 * is none of these. */
struct pv_spending *pv_sockets_spending(struct pv_sockets *sockets, int fd);

/* Tells the other side of the owner's kept connections that they are over,
 * unless they are from one of these ports; libcurl closes them when it next
 * looks. */
void pv_sockets_hang_up(struct pv_sockets *sockets, const void *owner,
    const struct pv_ports *spared);

#endif
