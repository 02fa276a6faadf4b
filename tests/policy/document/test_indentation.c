#include "policy/document/indentation.h"

#include "tap.h"

static const struct {
	const char *text;
	size_t line;
	bool is_found;
	struct pv_indentation wanted;
	const char *claim;
} cases[] = {
    {"a: 1\n  b: 2\n", 1, true, {2, 0, 0},
	"a line that is deeper aligns with the one above"},
    {"a:\n  b: 1\n c: 2\n", 2, true, {1, 1, 2},
	"one that is less deep with the one that is nearest to it"},
    {"a:\n  b:\n    c: 1\n d: 2\n", 3, true, {1, 1, 2},
	"which may be farther above"},
    {"a:\n  b: 1\nc:\n   d: 1\n e: 2\n", 4, true, {1, 3, 3},
	"but not above what is as deep or less"},
    {"a:\n  b: 1\n  c: 1\n d: 2\n", 3, true, {1, 2, 2},
	"of several the last one"},
    {"a:\n  b: 1\n\n  # c\n d: 2\n", 4, true, {1, 1, 2},
	"blank lines and comments are no neighbours"},
    {"a:\n  - b: 1\n   c: 2\n", 2, true, {3, 1, 4},
	"a key aligns with the key behind a dash"},
    {"a:\n  - - b: 1\n   c: 2\n", 2, true, {3, 1, 6}, "or two dashes"},
    {"a:\n  - b\n - c\n", 2, true, {1, 1, 2}, "an item with the dash"},
    {"a:\n  b: 1\n  c: 2\n", 2, false, {0}, "a line that aligns is right"},
    {"  a: 1\n", 0, false, {0}, "so is the first one"},
    {"a: 1\n   \n", 1, false, {0}, "and a blank one"},
    {"a: 1\n", 7, false, {0}, "and one that is not there"},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_indentation found = {0};
		bool is_found = pv_indentation_find(
		    pv_str_of(cases[i].text), cases[i].line, &found);
		bool is_same =
		    found.column == cases[i].wanted.column &&
		    found.wanted_line == cases[i].wanted.wanted_line &&
		    found.wanted_column == cases[i].wanted.wanted_column;
		ok(is_found == cases[i].is_found && (!is_found || is_same),
		    "%s", cases[i].claim);
	}
	return tap_done();
}
