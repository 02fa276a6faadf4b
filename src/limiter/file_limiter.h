#ifndef PAVANE_LIMITER_FILE_LIMITER_H
#define PAVANE_LIMITER_FILE_LIMITER_H

#include "limiter/limiter.h"

/* The limiter of all crawls of one user on one machine: they share the clocks
 * in a directory, which is made if need be (limiter/clock_file.h).
 *
 * Clocks are found by their name's keyed hash. Where too many are in use at
 * once, or two hash alike, they share: then hosts are asked more slowly, never
 * faster. A clock that has been quiet for ten seconds, and longer than any rest
 * that was asked for there, may be given up for another. After a boot the wall
 * clock decides, which makes no wait longer than it was. Times are those of the
 * machine's monotonic clock.
 */
extern const struct pv_limiter_kind pv_limiter_file;

#endif
