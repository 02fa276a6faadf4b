#ifndef PAVANE_SERVE_HTTP_EXCHANGE_H
#define PAVANE_SERVE_HTTP_EXCHANGE_H

#include "base/buf.h"
#include "serve/http/head.h"

/* One request, on its connection's thread.
 *
 * It is whole when it is given to whom answers: its head was vetted, its body
 * was read. What it points to lives until the reply is sent, so that a stream
 * may keep it until it is closed.
 */
enum pv_http_method {
	PV_GET,
	PV_HEAD, /* answered like GET; the server leaves the body out */
	PV_POST,
	PV_DELETE,
	PV_OTHER_METHOD,
};

struct pv_exchange {
	enum pv_http_method method;
	struct pv_str path;  /* of the target before "?", as it was sent */
	struct pv_str query; /* behind it; ptr is NULL where there is no "?" */
	struct pv_str body;
	const char *peer; /* the address of the other end; "unix" of a socket
			     in the file system */
	struct pv_head head;

	/* Whether nobody waits for the reply any more; NULL: always somebody
	 * does. */
	bool (*is_over)(const void *ctx);
	const void *ctx;
};

enum pv_http_method pv_http_method_of(struct pv_str name);

/* Fills in method, path and query from the head. */
void pv_exchange_read_head(struct pv_exchange *exchange);

/* The value of a header; ptr is NULL if there is none. */
struct pv_str pv_exchange_header(
    const struct pv_exchange *exchange, const char *name);

/* Appends an argument of the query, "name=value" between "&", with "+" and
 * "%20" decoded; the first of that name. False if there is none, it is not
 * escaped well, or the ceiling is in the way. */
bool pv_exchange_argument(
    const struct pv_exchange *exchange, const char *name, struct pv_buf *value);

/* Whether there is one of that name, be it escaped well or not. */
bool pv_exchange_has_argument(
    const struct pv_exchange *exchange, const char *name);

/* Whether the service stops or the other end is gone: whoever waits for
 * something to happen before it replies asks this at least once a second. An
 * end that only sends no more counts as gone. */
bool pv_exchange_is_over(const struct pv_exchange *exchange);

#endif
