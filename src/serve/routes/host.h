#ifndef PAVANE_SERVE_ROUTES_HOST_H
#define PAVANE_SERVE_ROUTES_HOST_H

#include "base/json/json.h"
#include "serve/routes/route.h"
#include "store/service/paused_hosts.h"

/* Reads the body with which a host is paused, such as {"until":
 * "2026-11-28T16:00:00Z", "reason": "they move"}; the reason is the body's. False,
 * with a problem, if it is not right. */
bool pv_host_pause_read(const struct pv_json *body, int64_t now_ms,
    struct pv_paused_host *host, struct pv_reply *reply);

#endif
