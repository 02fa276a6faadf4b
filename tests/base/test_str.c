#include "base/str.h"

#include "tap.h"

static void test_comparing(void)
{
	ok(pv_str_equal(PV_STR("a\0b"), PV_STR("a\0b")), "NUL is a byte");
	ok(!pv_str_equal(PV_STR("ab"), PV_STR("abc")), "length counts");
	ok(pv_str_equal((struct pv_str){NULL, 0}, PV_STR("")),
	    "no text equals empty text");
	ok(pv_str_equal_nocase(PV_STR("Host"), PV_STR("hOST")),
	    "ASCII letters fold");
	ok(!pv_str_equal_nocase(PV_STR("\xc3\x84"), PV_STR("\xc3\xa4")),
	    "other letters do not");
	ok(pv_str_compare(PV_STR("a"), PV_STR("ab")) < 0,
	    "a prefix comes first");
	ok(pv_str_compare(PV_STR("b"), PV_STR("ab")) > 0, "bytes decide");
	ok(pv_str_compare(PV_STR("\xff"), PV_STR("a")) > 0,
	    "bytes are unsigned");
}

static void test_ends(void)
{
	ok(pv_str_starts(PV_STR("*.example"), PV_STR("*.")), "starts");
	ok(!pv_str_starts(PV_STR("*"), PV_STR("*.")), "is too short to start");
	ok(pv_str_ends(PV_STR("a.org"), PV_STR(".org")), "ends");
	ok(!pv_str_ends(PV_STR("org"), PV_STR(".org")), "is too short to end");
	ok(pv_str_starts(PV_STR("a"), PV_STR("")) &&
		pv_str_ends(PV_STR("a"), PV_STR("")),
	    "every text starts and ends with nothing");
	is_text(pv_str_trim(PV_STR(" \t a b\t")), "a b", "trims both ends");
	is_text(pv_str_trim(PV_STR(" \t ")), "", "trims to nothing");
}

static void test_finding(void)
{
	ok(pv_str_find(PV_STR("a.b.c"), '.') == 1, "finds the first");
	ok(pv_str_find_last(PV_STR("a.b.c"), '.') == 3, "finds the last");
	ok(pv_str_find(PV_STR("abc"), '.') == PV_NOT_FOUND, "finds none");
	ok(pv_str_find((struct pv_str){NULL, 0}, 'a') == PV_NOT_FOUND,
	    "finds nothing in nothing");
}

static void test_no_text(void)
{
	struct pv_str none = {NULL, 0};
	ok(pv_str_starts(none, none) && pv_str_ends(none, none),
	    "no text starts and ends with no text");
	ok(!pv_str_starts(none, PV_STR("a")) && !pv_str_ends(none, PV_STR("a")),
	    "but not with a letter");
	ok(pv_str_compare(none, PV_STR("")) == 0 &&
		pv_str_equal_nocase(none, PV_STR("")),
	    "no text compares as empty text");
	ok(pv_str_trim(none).len == 0 && pv_str_from(none, 0).len == 0,
	    "it can be trimmed and cut");
	ok(pv_str_find_last(none, 'a') == PV_NOT_FOUND,
	    "nothing is found last in it");
}

static void test_printing(void)
{
	size_t most = INT_MAX;
	ok(pv_str_printed((struct pv_str){NULL, 0}) == 0 &&
		pv_str_printed(PV_STR("a\0b")) == 3,
	    "printf is told the length");
	ok(pv_str_printed((struct pv_str){NULL, most}) == INT_MAX &&
		pv_str_printed((struct pv_str){NULL, most + 1}) == INT_MAX &&
		pv_str_printed((struct pv_str){NULL, (size_t)-1}) == INT_MAX,
	    "and a longer one than an int holds as the longest");
}

int main(void)
{
	test_comparing();
	test_ends();
	test_finding();
	test_no_text();
	test_printing();
	return tap_done();
}
