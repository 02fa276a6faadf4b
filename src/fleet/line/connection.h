#ifndef PAVANE_FLEET_LINE_CONNECTION_H
#define PAVANE_FLEET_LINE_CONNECTION_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <uv.h>

#include "base/buf.h"

/* A connection of libpq's on a loop: made without blocking, and watched.
 *
 * While libpq connects, its socket may become another one at each step, even with
 * the same number, so that the watch begins anew at each step.
 */
struct pv_fleet_connection;

struct pv_fleet_connection_events {
	/* Made: from now on it is watched for reading. */
	void (*on_open)(void *ctx);

	/* Not made. `why` is safe to print. */
	void (*on_failed)(void *ctx, const char *sqlstate, const char *why);

	/* The socket can be read or written, as it is watched for. */
	void (*on_ready)(void *ctx);

	/* A warning or notice of the server. */
	void (*on_notice)(void *ctx, const char *text);
	void *ctx;
};

struct pv_fleet_connection {
	PGconn *pg;
	uv_loop_t *loop;
	uv_poll_t *poll; /* NULL: it is not watched */
	int watched;     /* for which events */
	struct pv_fleet_connection_events events;
	bool is_open;

	/* The server gave up waiting for its standby: what it says was committed may
	 * not be there after a failover. */
	bool is_in_doubt;
};

/* Begins to connect; the events come later. False, with a reason that is safe to
 * print, where that cannot begin; then there is nothing to close. */
bool pv_fleet_connection_open(struct pv_fleet_connection *connection,
    const char *const *keywords, const char *const *values, struct pv_buf *why);

/* At any time, also within an event, of which no more comes. One that was not
 * opened, or was closed, is fine. */
void pv_fleet_connection_close(struct pv_fleet_connection *connection);

/* What an open one is watched for: UV_READABLE, and maybe UV_WRITABLE. */
void pv_fleet_connection_watch(
    struct pv_fleet_connection *connection, int events);

#endif
