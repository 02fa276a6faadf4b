#ifndef PAVANE_API_SIZED_H
#define PAVANE_API_SIZED_H

#include <stdbool.h>
#include <stddef.h>

/* Structs of programs that were built against an earlier or a later header: each
 * begins with a size_t, its length there (PAVANE_INIT). Members are only ever
 * added at the end.
 */

/* Reads what a program has filled into a struct of our length: what it has no
 * member for is 0, and what we have none for is left out. False, with all of it
 * 0, if `given` is NULL or its size was never set. */
bool pv_sized_read(void *own, size_t own_size, const void *given);

/* Fills what the program has members for; its size stays. False, with nothing
 * written, if that was never set. */
bool pv_sized_write(void *given, const void *own, size_t own_size);

#endif
