#ifndef PAVANE_TESTS_SERVER_LEFTOVERS_H
#define PAVANE_TESTS_SERVER_LEFTOVERS_H

#include "base/arena.h"
#include "server/run_program.h"

/* What programs leave open when they end by themselves: a preloaded library
 * (teller.c) has them tell it to a file of their home.
 *
 * The program leaves its connections, loops and what its threads are writing to
 * the end of its process, but for builds with AddressSanitizer, which wants all
 * back. So files that have a name count everywhere, and all else there.
 */

/* Once it is built. */
#define LEFTOVERS_LIBRARY "tests/server/.libs/teller.so"

/* The same library (halt.c) has a program stop itself, as SIGSTOP does, where
 * the home's environment has such a variable: "PAVANE_HALT=N TEXT". It stops
 * once, when N of these texts are written and before more of them are, and goes
 * on with SIGCONT. */

/* Gives the variables by which a program tells, no more than 3, and their
 * number, which is 1 at most if it cannot: where the library was not built, or
 * the home's programs have something else to preload. */
size_t leftovers_watch(const struct home *home, struct pv_arena *arena,
    const char *environment[3]);

/* Whether a program of this home has told. */
bool leftovers_are_known(const struct home *home);

/* Appends what they left open, a line each. False if one of them has not told
 * it. */
bool leftovers_read(struct home *home, struct pv_buf *left);

#endif
