#ifndef PAVANE_TESTS_SERVER_CONNECTION_H
#define PAVANE_TESTS_SERVER_CONNECTION_H

#include "server/loop.h"
#include "server/server.h"
#include "server/stream.h"

/* One connection, from its acceptance to its end. It belongs to the loop, and
 * releases itself. What is said over it is the exchange's (exchange.h). */
struct server;
struct tls_session;

/* A request longer than this is malformed. */
#define CONNECTION_IN_MAX 262144

enum connection_state {
	CONNECTION_READING, /* waits for the rest of a request */
	CONNECTION_WRITING, /* an answer */
	CONNECTION_PAUSING, /* between two pieces of it */
	CONNECTION_SILENT,  /* says and hears nothing more */
	CONNECTION_LEAVING, /* has said its last; waits for the other side */
};

struct connection {
	struct loop_watch watch; /* the first member */
	struct loop_time timer;
	struct server *server;
	struct tls_session *tls; /* NULL if it is plain */
	enum connection_state state;
	struct server_accept accept;
	size_t accept_place; /* in the log */
	uint32_t number;
	struct connection *previous;
	struct connection *next;

	struct pv_buf in;
	int64_t in_us;    /* when the last of it arrived */
	int64_t begin_us; /* when the first of the next request did */

	struct pv_buf out; /* what the kernel has not taken yet */
	size_t out_sent;
	int64_t out_us; /* before the last of what was sent */
	struct stream stream;
	enum stream_next then; /* when `out` is sent */
	uint32_t pause_ms;
	bool is_last; /* the connection ends after this answer */

	size_t log_place; /* of the request that is being answered */
	bool is_answering;
	int status;
	uint64_t sent;
};

/* The socket is the connection's own. */
void connection_open(
    struct server *server, int fd, const struct server_accept *accept);

/* At the server's end. */
void connections_close(struct server *server);

/* Sends no more, and goes when the other side has read what was sent: closing
 * at once would reset the connection if it had said anything meanwhile. */
void connection_leave(struct connection *connection);

/* Goes at once, with what has not been sent. */
void connection_close(struct connection *connection);
void connection_reset(struct connection *connection);

/* Says nothing more, and hears nothing, until the other side goes. */
void connection_fall_silent(struct connection *connection);

/* Waits until it can send, or only until something comes. */
void connection_wait(struct connection *connection, bool is_to_send);

/* What is asked was answered in full at that time (faults of the answer's own
 * included), or never will be. Nothing happens if nothing is asked. */
void connection_end_request(
    struct connection *connection, int64_t at_us, bool is_complete);

#endif
