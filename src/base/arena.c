#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

#define BLOCK_SIZE ((size_t)32 * 1024)

struct pv_arena_block {
	struct pv_arena_block *next;
	size_t used;
	size_t size;
	alignas(max_align_t) char bytes[];
};

void pv_arena_init(struct pv_arena *arena)
{
	*arena = (struct pv_arena){.blocks = NULL};
}

void pv_arena_finish(struct pv_arena *arena)
{
	struct pv_arena_block *block = arena->blocks;
	while (block) {
		struct pv_arena_block *next = block->next;
		free(block);
		block = next;
	}
	*arena = (struct pv_arena){.blocks = NULL};
}

static struct pv_arena_block *block_create(size_t size)
{
	size_t bytes = size > BLOCK_SIZE ? size : BLOCK_SIZE;
	struct pv_arena_block *block = pv_alloc(sizeof(*block) + bytes);
	block->size = bytes;
	return block;
}

void *pv_arena_give(struct pv_arena *arena, size_t size)
{
	size_t step = alignof(max_align_t);
	if (size > SIZE_MAX / 2)
		pv_alloc_fail(1, size);
	size_t rounded = (size + step - 1) / step * step;
	struct pv_arena_block *block = arena->blocks;
	if (!block || block->size - block->used < rounded) {
		block = block_create(rounded);
		block->next = arena->blocks;
		arena->blocks = block;
		arena->bytes += block->size;
	}
	void *ptr = block->bytes + block->used;
	block->used += rounded;
	return ptr;
}

void *pv_arena_give_array(struct pv_arena *arena, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		pv_alloc_fail(count, size);
	return pv_arena_give(arena, count * size);
}

struct pv_str pv_arena_copy(struct pv_arena *arena, struct pv_str str)
{
	char *ptr = pv_arena_give(arena, str.len + 1);
	if (str.len)
		memcpy(ptr, str.ptr, str.len);
	return (struct pv_str){ptr, str.len};
}

const char *pv_arena_text(struct pv_arena *arena, struct pv_str str)
{
	return pv_arena_copy(arena, str).ptr;
}

const char *pv_arena_format(struct pv_arena *arena, const char *format, ...)
{
	va_list list;
	va_list again;
	va_start(list, format);
	va_copy(again, list);
	int len = vsnprintf(NULL, 0, format, list);
	char *text = pv_arena_give(arena, len < 0 ? 1 : (size_t)len + 1);
	if (len >= 0)
		vsnprintf(text, (size_t)len + 1, format, again);
	va_end(again);
	va_end(list);
	return text;
}
