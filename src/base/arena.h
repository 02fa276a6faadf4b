#ifndef PAVANE_BASE_ARENA_H
#define PAVANE_BASE_ARENA_H

#include <stddef.h>

#include "base/str.h"

/* Many small things with one end: what an arena gave lives until the arena is
 * finished, and is never released singly.
 *
 * It is for what people wrote (policies, lists), whose size somebody has
 * bounded before; what the web sends goes into a pv_buf.
 */
struct pv_arena {
	struct pv_arena_block *blocks; /* the newest first */
	size_t bytes;                  /* the memory that it holds */
};

void pv_arena_init(struct pv_arena *arena);
void pv_arena_finish(struct pv_arena *arena);

/* Zeroed memory, aligned for any type. */
void *pv_arena_give(struct pv_arena *arena, size_t size);
void *pv_arena_give_array(struct pv_arena *arena, size_t count, size_t size);

/* A copy, followed by a NUL that does not count. */
struct pv_str pv_arena_copy(struct pv_arena *arena, struct pv_str str);

/* A copy as C text. */
const char *pv_arena_text(struct pv_arena *arena, struct pv_str str);
const char *pv_arena_format(struct pv_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
