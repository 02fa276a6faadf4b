#ifndef PAVANE_HTTP_RETRY_AFTER_H
#define PAVANE_HTTP_RETRY_AFTER_H

#include <stdint.h>

#include "http/headers.h"

/* Longer waits are reported as this: it is for the policy to say when a wait is
 * too long. */
#define PV_RETRY_AFTER_MAX_MS (INT64_C(100) * 365 * 86400 * 1000)

/* Reads a Retry-After (RFC 9110, 10.2.3), in seconds or as a date, as how long
 * to wait when the wall clock says `wall_ms`; 0 for a date that is past.
 * False, with nothing changed, if it is neither: then the host has asked for
 * nothing, and gets the back-off of any failure. */
bool pv_retry_after_read(struct pv_str text, int64_t wall_ms, int64_t *wait_ms);

/* The longest that any Retry-After among them asks for, be they in headers of
 * their own or put together in one (RFC 9110, 5.3); false if none does. */
bool pv_retry_after_of(
    const struct pv_headers *headers, int64_t wall_ms, int64_t *wait_ms);

#endif
