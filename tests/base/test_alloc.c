#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "no_memory.h"
#include "tap.h"

static bool is_zeroed(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (bytes[i])
			return false;
	}
	return true;
}

static void test_giving(void)
{
	char *one = pv_alloc(4096);
	ok(is_zeroed(one, 4096), "memory comes zeroed");
	free(one);
	char *many = pv_alloc_array(100, 40);
	ok(is_zeroed(many, 4000), "so does memory for many items");
	free(many);
	void *none = pv_alloc(0);
	ok(none != NULL, "nothing is a place, too");
	free(none);
	none = pv_alloc_array(0, 8);
	ok(none != NULL, "no items are a place, too");
	free(none);
}

static void test_moving(void)
{
	uint32_t *items = pv_realloc_array(NULL, 4, sizeof(*items));
	for (uint32_t i = 0; i < 4; i++)
		items[i] = i + 1;
	items = pv_realloc_array(items, 4000, sizeof(*items));
	ok(items[0] == 1 && items[3] == 4, "items move with their array");
	items[3999] = 5;
	items = pv_realloc_array(items, 2, sizeof(*items));
	ok(items[0] == 1 && items[1] == 2, "an array may shrink");
	items = pv_realloc_array(items, 0, sizeof(*items));
	ok(items != NULL, "an array of no items is a place, too");
	items = pv_realloc_array(items, 4, 0);
	ok(items != NULL, "so is one of items without a size");
	free(items);
}

#define PAGES_SIZE ((size_t)16 << 20)

static size_t count_resident(void *bytes)
{
	static unsigned char is_in[PAGES_SIZE >> 12];
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t count = 0;
	mincore(bytes, PAGES_SIZE, is_in);
	for (size_t i = 0; i < PAGES_SIZE / page; i++)
		count += is_in[i] & 1;
	return count;
}

/* What malloc gets back it gives again, having written all of it. */
static void test_pages(void)
{
	char *before = pv_alloc(PAGES_SIZE);
	free(before);
	char *pages = pv_alloc_pages(PAGES_SIZE / 16, 16);
	ok(count_resident(pages) == 0,
	    "pages that nobody wrote take no memory");
	ok(is_zeroed(pages + PAGES_SIZE - 4096, 4096), "they come zeroed");
	pages[PAGES_SIZE - 1] = 1;
	pv_free_pages(pages, PAGES_SIZE / 16, 16);
	unsigned char is_in;
	ok(mincore(pages + PAGES_SIZE - 4096, 4096, &is_in) != 0,
	    "given back, they are there no more");
	pages = pv_alloc_pages(0, 16);
	ok(pages != NULL, "pages of no items are a place, too");
	pv_free_pages(pages, 0, 16);
	pv_free_pages(NULL, 1, 16);
}

static void alloc_too_much(void *ctx)
{
	free(pv_alloc(*(size_t *)ctx));
}

static void alloc_many(void *ctx)
{
	free(pv_alloc_array(*(size_t *)ctx, 16));
}

static void move_many(void *ctx)
{
	free(pv_realloc_array(NULL, *(size_t *)ctx, 16));
}

static void alloc_many_pages(void *ctx)
{
	pv_alloc_pages(*(size_t *)ctx, 16);
}

static void test_running_out(void)
{
	size_t size = TOO_MUCH;
	ok(runs_out(alloc_too_much, &size), "the hook is called at the end");
	ok(no_memory.size == size, "the hook is told the size");
	ok(runs_out(alloc_many, &size), "items overflow into the hook");
	ok(no_memory.size == SIZE_MAX,
	    "a size that overflows is told as the largest");
	ok(runs_out(alloc_many_pages, &size), "so do items in pages");
	ok(runs_out(move_many, &size), "moved items overflow into it as well");
	ok(no_memory.size == SIZE_MAX,
	    "their size, too, is told as the largest");
	size = TOO_MUCH / 16;
	ok(runs_out(move_many, &size), "an array that grows too far meets it");
	ok(no_memory.size == size * 16, "and it is told what was asked for");
}

int main(void)
{
	test_giving();
	test_moving();
	test_pages();
	test_running_out();
	return tap_done();
}
