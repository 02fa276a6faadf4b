#include "base/alloc.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "pavane/pavane.h"

/* With -flto and -fno-semantic-interposition GCC takes a weak function whose body
 * it sees for the one that will run. noipa keeps it from looking; Clang has no
 * such attribute, and looks at none that is weak. */
#if __has_attribute(noipa)
#define REPLACEABLE __attribute__((weak, noipa))
#else
#define REPLACEABLE __attribute__((weak))
#endif

/* Weak, so that a host program puts its own in this one's place at link
 * time, and no writable global is needed. */
REPLACEABLE void pavane_out_of_memory(size_t size)
{
	fprintf(
	    stderr, "pavane: out of memory: cannot allocate %zu bytes\n", size);
	_Exit(1); /* other threads still use what exit would take down */
}

_Noreturn void pv_alloc_fail(size_t count, size_t item_size)
{
	bool is_size = !item_size || count <= SIZE_MAX / item_size;
	pavane_out_of_memory(is_size ? count * item_size : SIZE_MAX);
	abort();
}

void *pv_alloc(size_t size)
{
	return pv_alloc_array(1, size);
}

void *pv_alloc_array(size_t count, size_t item_size)
{
	void *items = calloc(count ? count : 1, item_size ? item_size : 1);
	if (!items)
		pv_alloc_fail(count, item_size);
	return items;
}

void *pv_realloc_array(void *items, size_t count, size_t item_size)
{
	void *moved =
	    reallocarray(items, count ? count : 1, item_size ? item_size : 1);
	if (!moved)
		pv_alloc_fail(count, item_size);
	return moved;
}

/* A mapping has at least one byte. */
static size_t size_of_pages(size_t count, size_t item_size)
{
	if (item_size && count > SIZE_MAX / item_size)
		pv_alloc_fail(count, item_size);
	return count && item_size ? count * item_size : 1;
}

void *pv_alloc_pages(size_t count, size_t item_size)
{
	void *items = mmap(NULL, size_of_pages(count, item_size),
	    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (items == MAP_FAILED)
		pv_alloc_fail(count, item_size);
	return items;
}

void pv_free_pages(void *items, size_t count, size_t item_size)
{
	if (items)
		munmap(items, size_of_pages(count, item_size));
}
