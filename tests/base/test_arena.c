#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>

#include "no_memory.h"
#include "tap.h"

static bool is_filled(const unsigned char *bytes, size_t len, int with)
{
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] != with)
			return false;
	}
	return true;
}

/* Sizes around the step of alignment and the size of a block. */
static const size_t sizes[] = {
    0, 1, 15, 16, 17, 100, 32767, 32768, 32769, 200000, 3, 32752, 16, 1};
#define SIZES (sizeof(sizes) / sizeof(*sizes))

static void test_giving(void)
{
	struct pv_arena arena;
	unsigned char *given[SIZES];
	bool is_clean = true;
	bool is_aligned = true;
	bool is_kept = true;
	pv_arena_init(&arena);
	for (size_t i = 0; i < SIZES; i++) {
		given[i] = pv_arena_give(&arena, sizes[i]);
		is_clean = is_clean && is_filled(given[i], sizes[i], 0);
		is_aligned = is_aligned &&
			     (uintptr_t)given[i] % alignof(max_align_t) == 0;
		memset(given[i], (int)i + 1, sizes[i]);
	}
	for (size_t i = 0; i < SIZES; i++)
		is_kept = is_kept && is_filled(given[i], sizes[i], (int)i + 1);
	ok(is_clean, "what is given is zeroed");
	ok(is_aligned, "what is given is aligned for any type");
	ok(is_kept, "no two pieces overlap, small or large");
	pv_arena_finish(&arena);
	ok(!arena.blocks, "a finished arena is empty");
	memset(pv_arena_give(&arena, 8), 1, 8);
	pv_arena_finish(&arena);
	pv_arena_finish(&arena);
	ok(!arena.blocks, "it may be used and finished again");
}

static void test_arrays(void)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	uint64_t *items = pv_arena_give_array(&arena, 10000, sizeof(*items));
	items[9999] = 1;
	ok(items[0] == 0, "an array is zeroed");
	ok(pv_arena_give_array(&arena, 0, 8) != NULL, "no items are a place");
	ok(pv_arena_give_array(&arena, 8, 0) != NULL,
	    "items of no size are a place");
	pv_arena_finish(&arena);
}

static void test_texts(void)
{
	struct pv_arena arena;
	char source[] = "a\0b";
	pv_arena_init(&arena);
	struct pv_str copy = pv_arena_copy(&arena, (struct pv_str){source, 3});
	source[0] = 'z';
	ok(pv_str_equal(copy, PV_STR("a\0b")), "a copy is the arena's own");
	ok(copy.ptr[3] == '\0', "a NUL follows it");
	copy = pv_arena_copy(&arena, (struct pv_str){NULL, 0});
	ok(copy.ptr && copy.len == 0 && copy.ptr[0] == '\0',
	    "no text is copied as empty text");
	is_text(pv_str_of(pv_arena_text(&arena, PV_STR("text"))), "text",
	    "a copy may be C text");
	is_text(pv_str_of(pv_arena_format(&arena, "%s-%d", "a", 7)), "a-7",
	    "a format is written out");
	is_text(pv_str_of(pv_arena_format(&arena, "%s", "")), "",
	    "so is an empty one");
	ok(strlen(pv_arena_format(&arena, "%070000d", 1)) == 70000,
	    "a format may be longer than a block");
	pv_arena_finish(&arena);
}

static void give_size(void *ctx)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	pv_arena_give(&arena, *(size_t *)ctx);
	pv_arena_finish(&arena);
}

static void give_items(void *ctx)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	pv_arena_give_array(&arena, *(size_t *)ctx, 16);
	pv_arena_finish(&arena);
}

static void test_running_out(void)
{
	static const size_t huge[] = {
	    SIZE_MAX, SIZE_MAX - 14, SIZE_MAX - 15, SIZE_MAX - 47, TOO_MUCH};
	for (size_t i = 0; i < sizeof(huge) / sizeof(*huge); i++) {
		size_t size = huge[i];
		ok(runs_out(give_size, &size) && no_memory.size >= size,
		    "%zu bytes are more than there is", size);
	}
	size_t count = SIZE_MAX / 16 + 2;
	ok(runs_out(give_items, &count) && no_memory.size == SIZE_MAX,
	    "a size that overflows is more than there is");
}

int main(void)
{
	test_giving();
	test_arrays();
	test_texts();
	test_running_out();
	return tap_done();
}
