#ifndef PAVANE_SERVE_HTTP_CONNECTIONS_H
#define PAVANE_SERVE_HTTP_CONNECTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/address.h"

/* The connections that are open, how long each may take for what it does, and
 * how many there may be.
 *
 * libmicrohttpd counts only idle time, so a client that sends a byte now and
 * then could stay for ever. Here each connection has a deadline, and a thread
 * shuts its socket down when that is over; libmicrohttpd then sees the end and
 * cleans up. All functions may be called on any thread.
 */
#define PV_NO_DEADLINE ((int64_t)-1)
#define PV_PEER_SIZE 64

/* Of those that were displaced so many may be about to end, which come to all that
 * there may be. */
#define PV_DISPLACED_MAX 32

struct pv_connection;
struct pv_connections;

struct pv_connections_plan {
	uint32_t connections_max;
	uint32_t per_peer_max;

	/* Of which there may be any number: borrowed until others take their
	 * place. */
	const struct pv_network *trusted;
	size_t trusted_count;

	int64_t (*now)(void *ctx); /* in milliseconds; never jumps */
	void *now_ctx;
};

/* NULL if the system has no descriptor or thread left; errno says why. */
struct pv_connections *pv_connections_create(
    const struct pv_connections_plan *plan);

/* When none is left. */
void pv_connections_destroy(struct pv_connections *connections);

/* Others take the place of the trusted ones. Afterwards nobody reads those that it
 * had before. */
void pv_connections_trust(struct pv_connections *connections,
    const struct pv_network *trusted, size_t count);

/* Whether one more from that address may come; NULL: it has no address. Where there
 * are as many as may be, another one is ended for it: one that waits for its peer, of
 * the peer that has most, if that has more than the one that comes would have then.
 * Trusted ones and those without an address stay. */
bool pv_connections_may_add(
    struct pv_connections *connections, const struct pv_address *address);

/* The socket is the caller's, who removes the connection before closing it. */
struct pv_connection *pv_connections_add(struct pv_connections *connections,
    int socket, const struct pv_address *address);
void pv_connections_remove(
    struct pv_connections *connections, struct pv_connection *connection);

/* Ends the connection if nothing else is said within so many milliseconds. */
void pv_connections_limit(struct pv_connections *connections,
    struct pv_connection *connection, int64_t ms);

/* Calls `wake` when all connections are ended; NULL: no longer. */
void pv_connections_on_end(struct pv_connections *connections,
    struct pv_connection *connection, void (*wake)(void *ctx), void *ctx);

/* Shuts all sockets down, and those that come from now on. */
void pv_connections_end_all(struct pv_connections *connections);

/* Whether that was done, or the other end of this one is gone. */
bool pv_connections_is_over(const struct pv_connections *connections,
    const struct pv_connection *connection);

/* Its address as text; "unix" where it has none. */
const char *pv_connection_peer(const struct pv_connection *connection);

#endif
