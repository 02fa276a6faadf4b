#ifndef PAVANE_ROBOTS_NORMAL_H
#define PAVANE_ROBOTS_NORMAL_H

#include "base/buf.h"

/* One form for all ways to percent-encode a path, so that patterns and paths
 * compare byte by byte (RFC 9309, 2.2.2).
 *
 * In the normal form unreserved characters are never encoded, and bytes that
 * no address holds (controls, blanks, quotes, all beyond ASCII) always are,
 * with capital digits. Reserved characters stay as they were written, but for
 * three, which addresses and patterns write in either way: "$" and "'" are
 * never encoded, and the asterisk always is, so that one alone in a pattern is
 * always the wildcard. A percent sign that begins nothing is encoded.
 */

/* Whether a path already is in its normal form and holds no percent sign, so
 * that nothing is to be done. */
bool pv_robots_is_normal(struct pv_str path);

/* Appends a path, which may take three times as many bytes. What does not fit
 * is left to buf->is_full. */
void pv_robots_append_path(struct pv_buf *buf, struct pv_str path);

/* The same for a pattern, whose asterisks stay what they are; of several in a
 * row one is left. */
void pv_robots_append_pattern(struct pv_buf *buf, struct pv_str pattern);

#endif
