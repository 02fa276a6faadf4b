#ifndef PAVANE_URL_PATH_H
#define PAVANE_URL_PATH_H

#include "base/buf.h"

/* Paths: segments copied or percent-encoded, "." and ".." resolved, and
 * backslashes read as slashes ("path state" of the URL Standard). */

static inline bool pv_path_is_slash(char byte)
{
	return byte == '/' || byte == '\\';
}

/* Whether a path needs nothing done to it: each byte may stand as it is, and no
 * segment may be of dots. */
bool pv_path_is_plain(struct pv_str path);

/* Continues a path that begins at `root` in the buffer and ends in a slash.
 * What does not fit is left to buf->is_full. */
void pv_path_append(struct pv_buf *buf, size_t root, struct pv_str path);

#endif
