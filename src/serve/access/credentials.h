#ifndef PAVANE_SERVE_ACCESS_CREDENTIALS_H
#define PAVANE_SERVE_ACCESS_CREDENTIALS_H

#include <stdint.h>

#include "base/buf.h"

/* What requests say about who sends them, and to whom: read from strangers'
 * headers. What is read is borrowed from them. */

/* The token of "Authorization: Bearer TOKEN" (RFC 6750, 2.1); nothing if it is
 * of another kind or not well made. */
struct pv_str pv_bearer_read(struct pv_str authorization);

/* The session of a Cookie header (RFC 6265, 4.2); nothing if it has none. */
struct pv_str pv_session_read(struct pv_str cookie);

/* Appends the value of Set-Cookie that gives it to a browser, for so many
 * seconds; 0 takes it back. */
void pv_session_write(struct pv_str id, int64_t seconds, struct pv_buf *buf);

/* The host of a Host header, or of what follows the "//" of an origin, with the
 * brackets of IPv6 and without the port; nothing if it is not well made (RFC
 * 9110, 7.2). */
struct pv_str pv_host_name_read(struct pv_str authority);

/* What follows the "//" of an Origin header of http or https; nothing if it is
 * another one, as "null" (RFC 6454, 7). */
struct pv_str pv_origin_read(struct pv_str origin);

#endif
