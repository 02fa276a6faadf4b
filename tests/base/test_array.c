#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

#include "tap.h"

struct pair {
	size_t number;
	char letter;
};

static void test_pushing(void)
{
	struct pair *items = NULL;
	size_t count = 0;
	size_t size = 0;
	bool is_room = true;
	for (size_t i = 0; i < 10000; i++) {
		struct pair *item = PV_ARRAY_PUSH(items, count, size);
		*item = (struct pair){i, 'x'};
		is_room = is_room && count == i + 1 && count <= size &&
			  item == &items[i];
	}
	ok(is_room, "each push counts one item and points to it");
	bool is_kept = true;
	for (size_t i = 0; i < count; i++)
		is_kept = is_kept && items[i].number == i;
	ok(is_kept, "10000 items keep their places");
	free(items);
}

static void test_reserving(void)
{
	size_t size = 0;
	uint16_t *items = pv_array_reserve(NULL, 0, &size, sizeof(*items));
	ok(items && size > 0, "an empty array gets room");
	size_t first = size;
	ok(pv_array_reserve(items, first - 1, &size, 2) == items &&
		size == first,
	    "an array with one place left stays");
	items = pv_array_reserve(items, first, &size, sizeof(*items));
	ok(size == first * 2, "a full one gets twice the room");
	free(items);
}

int main(void)
{
	test_pushing();
	test_reserving();
	return tap_done();
}
