#ifndef PAVANE_TESTS_SERVER_CONNECTION_H
#define PAVANE_TESTS_SERVER_CONNECTION_H

#include "server/loop.h"
#include "server/server.h"
#include "server/stream.h"

/* One connection, from its acceptance to its end: requests in, one after the
 * other, and an answer out for each. It belongs to the loop, and releases
 * itself. */
struct server;

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
	enum connection_state state;
	struct server_accept accept;
	size_t accept_place; /* in the log */
	uint32_t number;
	struct connection *previous;
	struct connection *next;

	struct pv_buf in;
	int64_t in_us;    /* when the last of it arrived */
	int64_t begin_us; /* when the first of the next request did */

	struct pv_buf out;
	size_t out_sent;
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

#endif
