#include "api/sized.h"

#include <string.h>

#include "tap.h"

/* A struct, as it was in a first release, as it is, and as it may become. */
struct first {
	size_t size;
	long one;
};

struct ours {
	size_t size;
	long one;
	long two;
};

struct later {
	size_t size;
	long one;
	long two;
	long three;
};

static void test_read(void)
{
	struct ours ours;
	const struct first first[2] = {
	    {.size = sizeof(*first), .one = 1}, {.size = 7, .one = 7}};
	ok(pv_sized_read(&ours, sizeof(ours), first) &&
		ours.size == sizeof(ours) && ours.one == 1 && !ours.two,
	    "what a program of an earlier header does not know is 0");
	ok(pv_sized_read(&ours, sizeof(ours),
	       &(struct later){sizeof(struct later), 1, 2, 3}) &&
		ours.size == sizeof(ours) && ours.one == 1 && ours.two == 2,
	    "what only a later header has is left out");
	ok(!pv_sized_read(
	       &ours, sizeof(ours), &(struct ours){.one = 1, .two = 2}) &&
		!ours.one,
	    "a size that was never set is told");
	ok(!pv_sized_read(&ours, sizeof(ours), NULL) && !ours.one,
	    "and so is no struct at all");
}

static void test_write(void)
{
	const struct ours ours = {sizeof(ours), 1, 2};
	struct first first[2] = {{.size = sizeof(*first)}};
	struct first behind;
	memset(&first[1], 0x55, sizeof(first[1]));
	behind = first[1];
	ok(pv_sized_write(first, &ours, sizeof(ours)) && first->one == 1 &&
		first->size == sizeof(*first) &&
		!memcmp(&first[1], &behind, sizeof(behind)),
	    "nothing is written behind a shorter struct");
	struct later later = {.size = sizeof(later), .three = 3};
	ok(pv_sized_write(&later, &ours, sizeof(ours)) && later.two == 2 &&
		later.three == 3 && later.size == sizeof(later),
	    "nor into members that are not ours");
	struct ours unsized = {.one = 7};
	ok(!pv_sized_write(&unsized, &ours, sizeof(ours)) && unsized.one == 7,
	    "nor into one whose size was never set");
}

int main(void)
{
	test_read();
	test_write();
	return tap_done();
}
