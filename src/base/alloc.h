#ifndef PAVANE_BASE_ALLOC_H
#define PAVANE_BASE_ALLOC_H

#include <stddef.h>

/* Small pieces of memory, which are always there.
 *
 * When the system has none left, pavane_out_of_memory says so and ends the
 * program with status 1: what a crawl knows is on disk at any instant, and no
 * caller could do better. What a stranger can make large does not belong
 * here: it goes into a pv_buf with a ceiling.
 */

/* Gives zeroed memory, released with free. */
void *pv_alloc(size_t size);

/* Gives zeroed memory for so many items, or as above if their size
 * overflows. */
void *pv_alloc_array(size_t count, size_t item_size);

/* Moves an array (NULL is an empty one) to where so many items fit; what is
 * new is not zeroed. */
void *pv_realloc_array(void *items, size_t count, size_t item_size);

/* As pv_alloc_array, for large arrays of which little is used: what is not written
 * takes no memory, and all goes back to the system with pv_free_pages. malloc promises
 * neither once it was given such an array back. */
void *pv_alloc_pages(size_t count, size_t item_size);

/* Of as many items as were asked for. NULL is fine. */
void pv_free_pages(void *items, size_t count, size_t item_size);

/* Called when so many items cannot be allocated: calls pavane_out_of_memory and
 * does not return. */
_Noreturn void pv_alloc_fail(size_t count, size_t item_size);

#endif
