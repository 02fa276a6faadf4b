#ifndef PAVANE_TESTS_NO_MEMORY_H
#define PAVANE_TESTS_NO_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "pavane/pavane.h"

/* A hook of the test's own in the place of the library's: it comes back to
 * where memory was asked for, so that a test sees the system run out. To be
 * included in one file of a program. */

/* More than any system has, but a size all the same. */
#define TOO_MUCH (SIZE_MAX / 4)

static struct {
	jmp_buf back;
	size_t size; /* as the hook was told */
} no_memory;

void pavane_out_of_memory(size_t size)
{
	no_memory.size = size;
	longjmp(no_memory.back, 1);
}

/* AddressSanitizer ends the program at such sizes, unless it is told not
 * to. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

/* Whether the hook was called while the function ran. */
static bool runs_out(void (*attempt)(void *ctx), void *ctx)
{
	no_memory.size = 0;
	if (setjmp(no_memory.back))
		return true;
	attempt(ctx);
	return false;
}

#endif
