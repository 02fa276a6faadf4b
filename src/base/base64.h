#ifndef PAVANE_BASE_BASE64_H
#define PAVANE_BASE_BASE64_H

#include "base/buf.h"

/* Appends bytes in base 64 (RFC 4648, 4), as RFC 7617 sends a login; false if
 * the ceiling is in the way. */
bool pv_base64_append(struct pv_str bytes, struct pv_buf *buf);

#endif
