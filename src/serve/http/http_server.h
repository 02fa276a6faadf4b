#ifndef PAVANE_SERVE_HTTP_HTTP_SERVER_H
#define PAVANE_SERVE_HTTP_HTTP_SERVER_H

#include "base/why.h"
#include "serve/http/connections.h"
#include "serve/http/exchange.h"
#include "serve/http/reply.h"

/* An HTTP/1.1 server with a thread for each connection (libmicrohttpd).
 *
 * It reads requests whole, within limits of size and time, refuses heads that
 * are not what they should be (serve/http/head.h), and lets one function answer
 * all others. It speaks no TLS. Each reply says "nosniff", and "no-store"
 * unless it says something else.
 */
struct pv_http_plan {
	/* Where (serve/http/listening.h); or a socket that is open already and
	 * then the server's, if this is NULL. */
	const char *listen;
	int socket;

	struct pv_connections_plan connections; /* at most 256, and 64 a peer */

	size_t head_bytes; /* 32 KiB; at most that */
	size_t body_bytes; /* 1 MiB */
	int64_t head_ms;   /* for the whole head, and between requests: 10 s */
	int64_t body_ms;   /* for the whole body: 30 s */
	int64_t send_ms;   /* for each piece of a reply, of some 32 KiB: 30 s */

	/* On the thread of the connection, several at a time; it may take as
	 * long as it needs. */
	void (*answer)(void *ctx, struct pv_exchange *, struct pv_reply *);
	void *ctx;

	/* Gets what libmicrohttpd logs, on any thread; NULL: nobody does. */
	void (*log)(void *ctx, struct pv_str line);
	void *log_ctx;
};

struct pv_http_server;

/* With the limits above, no address, clock or function. */
void pv_http_plan_init(struct pv_http_plan *plan);

/* Answers requests from now on. NULL, with the reason, if it cannot. */
struct pv_http_server *pv_http_server_start(
    const struct pv_http_plan *plan, struct pv_why *why);

/* As pv_connections_trust. */
void pv_http_server_trust(struct pv_http_server *server,
    const struct pv_network *trusted, size_t count);

/* The port of TCP; 0 if it is none. */
uint16_t pv_http_server_port(const struct pv_http_server *server);

/* Ends all connections and waits until nobody answers any more. */
void pv_http_server_stop(struct pv_http_server *server);

#endif
