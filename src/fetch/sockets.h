#ifndef PAVANE_FETCH_SOCKETS_H
#define PAVANE_FETCH_SOCKETS_H

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
 */
typedef void (*pv_socket_fn)(void *owner, int fd, int ready);

struct pv_sockets {
	struct uv_loop_s *loop;
	pv_socket_fn on_ready;
	struct pv_socket **by_fd;
	size_t size;
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

/* Tells the other side of the owner's kept connections that they are over,
 * unless they are from one of these ports; libcurl closes them when it next
 * looks. */
void pv_sockets_hang_up(struct pv_sockets *sockets, const void *owner,
    const struct pv_ports *spared);

#endif
