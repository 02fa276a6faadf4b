#ifndef PAVANE_SERVE_HTTP_REPLY_H
#define PAVANE_SERVE_HTTP_REPLY_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

/* What the service answers to one request: a status, headers, and a body.
 *
 * The body stands in memory, or is a piece of a file, or comes from a stream
 * that is read piece by piece. The reply owns all three; the server sends it
 * and then finishes it. A reply says nothing of Date, Content-Length,
 * X-Content-Type-Options and Connection, which are the server's, and of
 * Cache-Control only where "no-store" is wrong.
 */
#define PV_REPLY_BODY_MAX ((size_t)64 << 20)

/* A body that is made while it is sent, on its connection's thread. */
struct pv_reply_stream {
	/* Gives at least one byte, and may wait for it as long as it likes; 0 at
	 * the end, negative on a fault, which breaks the connection off. Who
	 * waits asks pv_exchange_is_over now and then, or is woken by `wake`. */
	ssize_t (*read)(void *ctx, char *bytes, size_t size);

	/* Called on another thread when the connection is to end, so that `read`
	 * returns soon; NULL: `read` never waits longer than a second. */
	void (*wake)(void *ctx);

	/* Called once, when nothing is read any more; NULL: nothing to do. */
	void (*close)(void *ctx);

	void *ctx;
};

struct pv_reply_header {
	char *name;
	char *value;
};

struct pv_reply {
	unsigned status;  /* 200 at first */
	const char *type; /* of the body: static text; NULL: it has no type */
	struct pv_buf body;

	/* A regular file of which `length` bytes from `offset` are sent, -1: none.
	 * It is closed afterwards. */
	int file;
	uint64_t offset;
	uint64_t length;

	struct pv_reply_stream stream; /* read NULL: none */

	bool is_last; /* the connection is closed behind it */

	struct pv_reply_header *headers;
	size_t header_count;
	size_t headers_size;
};

void pv_reply_init(struct pv_reply *reply);

/* What it has of a body and of headers is released, and it is as at first. */
void pv_reply_reset(struct pv_reply *reply);
void pv_reply_finish(struct pv_reply *reply);

/* Adds a header, or puts it in the place of its namesake; of Set-Cookie there
 * may be several. Bytes that a header cannot have are left out of the value. */
void pv_reply_header(
    struct pv_reply *reply, const char *name, const char *value);

/* The value of a header, NULL if there is none. */
const char *pv_reply_header_get(const struct pv_reply *reply, const char *name);

#endif
