#ifndef PAVANE_BASE_ARRAY_H
#define PAVANE_BASE_ARRAY_H

#include <stddef.h>

#include "base/alloc.h"

/* Room at the end of an array that grows by doubling.
 *
 * The caller keeps `items`, `count` and `size`; PV_ARRAY_PUSH returns a
 * pointer to the new item, which is not zeroed, and counts it.
 */

#define PV_ARRAY_PUSH(items, count, size)                                      \
	((items) =                                                             \
		pv_array_reserve((items), (count), &(size), sizeof(*(items))), \
	    &(items)[(count)++])

/* Moves the array, if it is full, to where at least one more item fits. */
static inline void *pv_array_reserve(
    void *items, size_t count, size_t *size, size_t item_size)
{
	if (count < *size)
		return items;
	*size = *size ? *size * 2 : 8;
	return pv_realloc_array(items, *size, item_size);
}

#endif
