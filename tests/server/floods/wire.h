#ifndef PAVANE_TESTS_SERVER_FLOODS_WIRE_H
#define PAVANE_TESTS_SERVER_FLOODS_WIRE_H

#include <stdatomic.h>

#include "server/floods/records.h"

/* A connection that a client opened, plain or over TLS 1.3, and its end: when
 * its time is over, or so many bytes were sent, or somebody says so. A thread
 * of its own waits here as long as it takes. */
struct wire_bounds {
	int64_t time_max_ms;
	uint64_t bytes_max;
};

struct wire {
	int fd; /* whose opened it closes it */
	SSL *ssl;
	struct records records;
	int64_t deadline_ms;
	uint64_t bytes_left;
	const atomic_bool *is_over;   /* when somebody says so */
	atomic_uint_fast64_t *poured; /* bytes, over all connections */
};

/* The pointers are to be set, to what outlives it. */

void wire_init(struct wire *wire, int fd, const struct wire_bounds *bounds);
void wire_finish(struct wire *wire);

/* Shakes hands. False if the client does not want to. */
bool wire_start_tls(struct wire *wire, SSL_CTX *ctx);

enum wire_result {
	WIRE_HEARD,
	WIRE_SILENT, /* nothing came in that time */
	WIRE_OVER,
};

/* Appends what the client says. */
enum wire_result wire_hear(
    struct wire *wire, struct pv_buf *heard, int timeout_ms);

/* Sends the text, in a record where there is TLS. False if that cannot be. */
bool wire_say(struct wire *wire, struct pv_str text);

/* Sends bytes of a flood as they are, and throws away what the client sends
 * meanwhile. */
bool wire_pour(struct wire *wire, struct pv_str bytes);

#endif
