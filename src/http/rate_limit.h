#ifndef PAVANE_HTTP_RATE_LIMIT_H
#define PAVANE_HTTP_RATE_LIMIT_H

#include "http/headers.h"

/* What a server says about how often it may still be asked, in any of the ways
 * in which servers say it:
 *
 *   RateLimit: "default";r=50;t=30        (draft-ietf-httpapi-ratelimit-headers)
 *   RateLimit-Policy: "default";q=100;w=60
 *   RateLimit: limit=100, remaining=50, reset=30    (its version 07)
 *   RateLimit-Remaining: 50                         (before that)
 *   RateLimit-Reset: 30
 *   X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Reset-After, and
 *   the same as X-Rate-Limit-*
 *
 * A reset is in seconds from now, or a time since 1970 in seconds or in
 * milliseconds. None of it is a standard, so it is read as a hint: what cannot
 * be understood says nothing, and nothing of it makes anybody faster.
 */
#define PV_RATE_LIMIT_HINT_MAX_MS (INT64_C(3600) * 1000)

/* How long to wait until the next request, when the wall clock says `wall_ms`;
 * 0 if nothing suggests a wait. Where nothing is left, that is until the reset;
 * where r requests are left for t seconds, t / r; if there is only a policy of
 * q requests in w seconds, w / q; of several the longest, but at most an hour.
 */
int64_t pv_rate_limit_hint_ms(
    const struct pv_headers *headers, int64_t wall_ms);

#endif
