#ifndef PAVANE_SERVE_ROUTES_ORDER_BODY_H
#define PAVANE_SERVE_ROUTES_ORDER_BODY_H

#include "base/json/json.h"
#include "serve/http/reply.h"

/* The members of a JSON object that a caller has sent. Where one is not right the
 * reply says so, and the answer is false. */

/* Says what is wrong with a member, or a header; false. */
bool pv_order_refuse(
    struct pv_reply *reply, const char *name, const char *what);

/* Whether the body is an object; `example` is one. */
bool pv_order_is_object(
    const struct pv_json *body, const char *example, struct pv_reply *reply);

/* Whether it has no other members than these, NULL at the end. */
bool pv_order_has_only(const struct pv_json *body, const char *const *known,
    struct pv_reply *reply);

/* A text without U+0000; "" where there is none. It is the body's. */
bool pv_order_text(const struct pv_json *body, const char *name,
    struct pv_str *text, struct pv_reply *reply);

#endif
