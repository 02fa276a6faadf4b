#ifndef PAVANE_TRAPS_PATH_TRAPS_H
#define PAVANE_TRAPS_PATH_TRAPS_H

#include "base/str.h"

/* Addresses without end, by the shape of their paths.
 *
 * A segment is what stands between two slashes, and may be empty; a slash at
 * the end begins none. Both questions cost time in proportion to the path, but
 * for paths that are traps or very nearly so.
 */

/* How many segments a path has; it begins with a slash. */
size_t pv_path_traps_segments(struct pv_str path);

/* How often the segment stands that stands most often; 0 if that is at most
 * `limit` times. */
size_t pv_path_traps_repeats(struct pv_str path, size_t limit);

#endif
