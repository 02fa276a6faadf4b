#ifndef PAVANE_TESTS_SERVER_HEAD_H
#define PAVANE_TESTS_SERVER_HEAD_H

#include "server/server.h"

/* The head of an answer as text: its first line and headers, without those
 * that come by count, and without the empty line. */

/* What the head says of the body. */
struct head_body {
	uint64_t len;
	const char *coding; /* NULL if it has none */
	bool is_none;       /* as after 204 and 304 */
};

void head_write(const struct server_answer *answer,
    const struct head_body *body, struct pv_buf *buf);

/* Whether the connection ends after it, for its own sake. */
bool head_asks_for_end(const struct server_answer *answer);

#endif
