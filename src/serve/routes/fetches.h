#ifndef PAVANE_SERVE_ROUTES_FETCHES_H
#define PAVANE_SERVE_ROUTES_FETCHES_H

#include "base/json/json.h"
#include "serve/routes/route.h"

/* Reads the body with which a single address is asked for; its texts are the
 * body's. In `not_before_ms` stands how old an answer may be. False, with a
 * problem, if it is not right. */
bool pv_fetch_order_read(
    const struct pv_json *body, struct pv_fetch *fetch, struct pv_reply *reply);

/* "Prefer: wait=10" (RFC 7240): for so many seconds, 0 without it. */
uint64_t pv_fetch_wait_read(const struct pv_exchange *exchange);

#endif
