#include "cli/terminal/columns.h"

#include "tap.h"

static void test_widths(void)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *what;
	} cases[] = {
	    {"", 0, "nothing has no width"},
	    {"abc", 3, "a letter has one column"},
	    {"\xc3\xa9\xd0\xb6", 2,
		"so has one with an accent, or a "
		"Cyrillic one"},
	    {"\xe6\xbc\xa2\xe5\xad\x97", 4, "a Chinese character has two"},
	    {"\xf0\x9f\x90\x9d", 2, "a picture has two"},
	    {"\xed\x95\x9c", 2, "a Korean syllable has two"},
	    {"a\xff\xfe", 3, "a byte that is no character has one"},
	    {"\xe6\xbc", 2, "and so has each of a broken one"},
	    {"\xf0\x9f\x90", 3, "wherever it breaks off"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(pv_columns_of(cases[i].text) == cases[i].columns, "%s",
		    cases[i].what);
}

static void test_fitting(void)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *fitted;
	} cases[] = {
	    {"abcdef", 6, "abcdef"},
	    {"abcdef", 5, "ab..."},
	    {"abcdef", 3, "..."},
	    {"abcdef", 1, "."},
	    {"abcdef", 0, ""},
	    {"", 0, ""},
	    {"\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 5, "\xe6\xbc\xa2..."},
	    {"\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 4, "..."},
	    {"a\033[2Jb\n", 20, "a?[2Jb?"},
	    {"a\xc2\x9b"
	     "2J\x7f",
		20, "a?2J?"},
	    {"a\xff", 20, "a?"},
	};
	char fitted[64];
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_columns_fit(
		    cases[i].text, cases[i].columns, fitted, sizeof(fitted));
		is_text(pv_str_of(fitted), cases[i].fitted,
		    "fitting %zu into %zu columns", i, cases[i].columns);
	}
	pv_columns_fit("abcdefghij", 100, fitted, 8);
	is_text(pv_str_of(fitted), "abcd...",
	    "what is too long for the bytes is cut as well");
	pv_columns_fit("abcdefg", 100, fitted, 8);
	is_text(pv_str_of(fitted), "abcdefg", "and what just fits is not");
}

static void test_ends(void)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *fitted;
	} cases[] = {
	    {"http://a.test/", 14, "http://a.test/"},
	    {"http://a.test/b", 14, "http:/...est/b"},
	    {"http://a.test/bc", 15, "http:/...est/bc"},
	    {"http://a.test/", 7, "ht...t/"},
	    {"http://a.test/", 6, "htt..."},
	    {"http://a.test/", 2, ".."},
	    {"a\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2z", 7, "a\xe6\xbc\xa2...z"},
	    {"a\nbcdefgh\n", 9, "a?b...gh?"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char fitted[100];
		pv_columns_fit_ends(
		    cases[i].text, cases[i].columns, fitted, sizeof(fitted));
		ok(pv_columns_of(fitted) <= cases[i].columns, "case %zu fits",
		    i);
		is_text(pv_str_of(fitted), cases[i].fitted,
		    "an address keeps both ends in %zu columns",
		    cases[i].columns);
	}
	char fitted[12];
	pv_columns_fit_ends("http://a.test/b/c", 14, fitted, sizeof(fitted));
	is_text(pv_str_of(fitted), "http://a...",
	    "where there is no room for that, the beginning is kept");
}

int main(void)
{
	test_widths();
	test_fitting();
	test_ends();
	return tap_done();
}
