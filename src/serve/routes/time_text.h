#ifndef PAVANE_SERVE_ROUTES_TIME_TEXT_H
#define PAVANE_SERVE_ROUTES_TIME_TEXT_H

#include "base/json/json.h"

/* A time in milliseconds since 1970 as RFC 3339 writes it, in UTC. */
struct pv_json *pv_time_text(int64_t ms);

#endif
