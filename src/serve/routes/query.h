#ifndef PAVANE_SERVE_ROUTES_QUERY_H
#define PAVANE_SERVE_ROUTES_QUERY_H

#include "serve/http/exchange.h"
#include "serve/http/reply.h"

/* Arguments of a query, of which the first of each name counts. One that is not
 * what it should be is refused (400) and never passed over, so that nobody gets an
 * answer to another question than was asked: the reply says what is expected, and
 * the answer is false. Where there is no such argument, nothing changes. */

/* A text of at most the buffer's ceiling, without NUL. */
bool pv_query_text(const struct pv_exchange *exchange, const char *name,
    struct pv_buf *text, struct pv_reply *reply);

struct pv_query_range {
	uint64_t least;
	uint64_t most;
};

bool pv_query_number(const struct pv_exchange *exchange, const char *name,
    struct pv_query_range range, uint64_t *number, struct pv_reply *reply);

/* One of the words, NULL at the end: its place among them. */
bool pv_query_word(const struct pv_exchange *exchange, const char *name,
    const char *const *words, size_t *place, struct pv_reply *reply);

#endif
