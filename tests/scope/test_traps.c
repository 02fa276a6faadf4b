#include "scope/traps.h"

#include "base/buf.h"
#include "tap.h"

static const struct {
	const char *path;
	size_t segments;
	size_t most; /* times that one of them stands */
} cases[] = {
    {"/", 0, 0},
    {"/a", 1, 1},
    {"/a/", 1, 1},
    {"//", 1, 1},
    {"///", 2, 2},
    {"/a/b/c", 3, 1},
    {"/a/b/c/", 3, 1},
    {"/a/a", 2, 2},
    {"/a/b/a", 3, 2},
    {"/a/A", 2, 1},
    {"/a//b", 3, 1},
    {"/a//b//c//", 6, 3},
    {"/a/ab/aab/b", 4, 1},
    {"/ab/ba/ab/ba/ab", 5, 3},
    {"/2024/05/05/05", 4, 3},
    {"/axb/ayb/azb/awb/avb", 5, 1},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_str path = pv_str_of(cases[i].path);
		ok(pv_traps_segments(path) == cases[i].segments,
		    "%s has %zu segments", cases[i].path, cases[i].segments);
		size_t most = cases[i].most;
		ok(pv_traps_repeats(path, most) == 0,
		    "none more than %zu times", most);
		ok(most == 0 || pv_traps_repeats(path, most - 1) == most,
		    "and one just as often");
	}
}

/* Comparing each segment with each would take hours. */
static void test_costs(void)
{
	struct pv_buf path;
	pv_buf_init(&path, 65536);
	for (int i = 0; pv_buf_append_format(&path, "/a%05dz", i); i++)
		;
	ok(pv_traps_segments(pv_buf_str(&path)) == 8192, "8,192 segments");
	size_t found = 0;
	for (int i = 0; i < 200; i++)
		found += pv_traps_repeats(pv_buf_str(&path), 1);
	ok(found == 0, "P5: so many that look alike are not counted as one");
	pv_buf_clear(&path);
	while (pv_buf_append_text(&path, "/"))
		;
	ok(pv_traps_repeats(pv_buf_str(&path), 3) == 65535,
	    "P5: nothing but slashes is a trap");
	pv_buf_finish(&path);
}

int main(void)
{
	test_cases();
	test_costs();
	return tap_done();
}
