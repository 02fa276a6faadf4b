#include "base/utf8.h"

#include "tap.h"

#define INVALID PV_UTF8_INVALID

/* Bytes, where the first of them stands that is not UTF-8, and the characters
 * they are read as, up to the end. */
static const struct {
	const char *claim;
	struct pv_str bytes;
	size_t invalid;
	int32_t characters[6];
} cases[] = {
    {"empty", PV_STR(""), PV_NOT_FOUND, {PV_UTF8_END}},
    {"none", {NULL, 0}, PV_NOT_FOUND, {PV_UTF8_END}},
    {"NUL", PV_STR("\0"), PV_NOT_FOUND, {0, PV_UTF8_END}},
    {"last of one byte", PV_STR("\x7f"), PV_NOT_FOUND, {0x7f, PV_UTF8_END}},
    {"first of two", PV_STR("\xc2\x80"), PV_NOT_FOUND, {0x80, PV_UTF8_END}},
    {"last of two", PV_STR("\xdf\xbf"), PV_NOT_FOUND, {0x7ff, PV_UTF8_END}},
    {"first of three", PV_STR("\xe0\xa0\x80"), PV_NOT_FOUND,
	{0x800, PV_UTF8_END}},
    {"last before the surrogates", PV_STR("\xed\x9f\xbf"), PV_NOT_FOUND,
	{0xd7ff, PV_UTF8_END}},
    {"first after them", PV_STR("\xee\x80\x80"), PV_NOT_FOUND,
	{0xe000, PV_UTF8_END}},
    {"last of three", PV_STR("\xef\xbf\xbf"), PV_NOT_FOUND,
	{0xffff, PV_UTF8_END}},
    {"first of four", PV_STR("\xf0\x90\x80\x80"), PV_NOT_FOUND,
	{0x10000, PV_UTF8_END}},
    {"the last", PV_STR("\xf4\x8f\xbf\xbf"), PV_NOT_FOUND,
	{0x10ffff, PV_UTF8_END}},
    {"past the last", PV_STR("\xf4\x90\x80\x80"), 0,
	{INVALID, INVALID, INVALID, INVALID, PV_UTF8_END}},
    {"far past the last", PV_STR("\xf7\xbf\xbf\xbf"), 0,
	{INVALID, INVALID, INVALID, INVALID, PV_UTF8_END}},
    {"five bytes", PV_STR("\xf8\x88\x80\x80\x80"), 0,
	{INVALID, INVALID, INVALID, INVALID, INVALID, PV_UTF8_END}},
    {"FE", PV_STR("\xfe"), 0, {INVALID, PV_UTF8_END}},
    {"FF", PV_STR("\xff"), 0, {INVALID, PV_UTF8_END}},
    {"overlong NUL", PV_STR("\xc0\x80"), 0, {INVALID, INVALID, PV_UTF8_END}},
    {"overlong slash", PV_STR("\xc0\xaf"), 0, {INVALID, INVALID, PV_UTF8_END}},
    {"largest overlong of two", PV_STR("\xc1\xbf"), 0,
	{INVALID, INVALID, PV_UTF8_END}},
    {"largest overlong of three", PV_STR("\xe0\x9f\xbf"), 0,
	{INVALID, INVALID, INVALID, PV_UTF8_END}},
    {"largest overlong of four", PV_STR("\xf0\x8f\xbf\xbf"), 0,
	{INVALID, INVALID, INVALID, INVALID, PV_UTF8_END}},
    {"first surrogate", PV_STR("\xed\xa0\x80"), 0,
	{INVALID, INVALID, INVALID, PV_UTF8_END}},
    {"last surrogate", PV_STR("\xed\xbf\xbf"), 0,
	{INVALID, INVALID, INVALID, PV_UTF8_END}},
    {"a tail alone", PV_STR("a\x80z"), 1, {'a', INVALID, 'z', PV_UTF8_END}},
    {"one of two", PV_STR("a\xc3"), 1, {'a', INVALID, PV_UTF8_END}},
    {"two of three", PV_STR("\xe2\x82"), 0, {INVALID, INVALID, PV_UTF8_END}},
    {"three of four", PV_STR("\xf0\x9f\x98"), 0,
	{INVALID, INVALID, INVALID, PV_UTF8_END}},
    {"cut short by a letter", PV_STR("\xe2\x82z"), 0,
	{INVALID, INVALID, 'z', PV_UTF8_END}},
    {"cut short by a beginning", PV_STR("\xe2\xc3\xa9"), 0,
	{INVALID, 0xe9, PV_UTF8_END}},
    {"after characters of all sizes",
	PV_STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xff"), 10,
	{'a', 0xe9, 0x20ac, 0x1f600, INVALID, PV_UTF8_END}},
};

static void test_reading(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_reader reader = pv_reader_of(cases[i].bytes);
		const int32_t *wanted = cases[i].characters;
		int32_t character;
		do {
			character = pv_utf8_next(&reader);
		} while (character == *wanted && *wanted++ != PV_UTF8_END);
		ok(character == PV_UTF8_END && pv_reader_is_end(&reader),
		    "%s: is read, byte by byte where it must be",
		    cases[i].claim);
		ok(pv_utf8_find_invalid(cases[i].bytes) == cases[i].invalid,
		    "%s: the first wrong byte is found", cases[i].claim);
	}
}

static void test_writing(void)
{
	struct pv_buf buf;
	bool is_same = true;
	pv_buf_init(&buf, 4);
	for (int32_t c = 0; c <= 0x10ffff; c++) {
		if (c == 0xd800)
			c = 0xe000;
		pv_buf_clear(&buf);
		pv_utf8_append(&buf, (uint32_t)c);
		struct pv_reader reader = pv_reader_of(pv_buf_str(&buf));
		is_same = is_same && pv_utf8_next(&reader) == c &&
			  pv_reader_is_end(&reader);
	}
	ok(is_same, "every character is read as it was written");
	pv_buf_clear(&buf);
	ok(pv_utf8_append(&buf, 'a') && !pv_utf8_append(&buf, 0x10ffff) &&
		buf.len == 1,
	    "no part of a character goes past a ceiling");
	pv_buf_finish(&buf);
}

static void test_beginnings(void)
{
	static const struct pv_str text = PV_STR("a\u00e9\u20ac\U0001f600");
	static const size_t lens[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
	for (size_t i = 0; i < sizeof(lens) / sizeof(*lens); i++)
		ok(pv_utf8_head(text, i).len == lens[i],
		    "of %zu bytes no character is cut in two", i);
	ok(pv_utf8_head(PV_STR("a\x80\x80\x80\x80z"), 4).len == 1 &&
		pv_utf8_head(PV_STR("\x80\x80"), 1).len == 0 &&
		pv_utf8_head((struct pv_str){NULL, 0}, 5).len == 0,
	    "nor is much lost of what is no UTF-8");
}

static void test_making_valid(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 16);
	ok(pv_utf8_append_valid(&buf, PV_STR("a\xff\xc3\xa9\xe2\x82")) &&
		strcmp(pv_buf_text(&buf), "a\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd"
					  "\xef\xbf\xbd") == 0,
	    "each byte that is not UTF-8 becomes U+FFFD");
	ok(!pv_utf8_append_valid(&buf, PV_STR("bcd\xff")), "a ceiling is kept");
	pv_buf_finish(&buf);
}

static const struct {
	struct pv_str text;
	struct pv_str collapsed;
} collapses[] = {
    {PV_STR(""), PV_STR("")},
    {PV_STR(" "), PV_STR("")},
    {PV_STR("a"), PV_STR("a")},
    {PV_STR(" a  b\t\r\n\f\vc "), PV_STR("a b c")},
    {PV_STR("\xc2\xa0"
	    "12\xc2\xa0\xe2\x80\xaf"
	    "EUR\xe3\x80\x80"),
	PV_STR("12 EUR")},
    {PV_STR("a\xe2\x80\x8b"
	    "b"),
	PV_STR("a\xe2\x80\x8b"
	       "b")},
    {PV_STR("a\xc2\x85"
	    "b\xe2\x80\xa8"
	    "c"),
	PV_STR("a b c")},
    {PV_STR(" a\0b "), PV_STR("a\0b")},
    {PV_STR("\xc3\xa9 \xe2\x82\xac"), PV_STR("\xc3\xa9 \xe2\x82\xac")},
};

static void test_collapsing(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 100);
	for (size_t i = 0; i < sizeof(collapses) / sizeof(*collapses); i++) {
		pv_buf_clear(&buf);
		ok(pv_utf8_append_collapsed(&buf, collapses[i].text) &&
			pv_str_equal(pv_buf_str(&buf), collapses[i].collapsed),
		    "\"%.*s\" collapses to \"%s\"",
		    PV_STR_ARG(collapses[i].text), pv_buf_text(&buf));
	}
	pv_buf_finish(&buf);
	pv_buf_init(&buf, 3);
	ok(!pv_utf8_append_collapsed(&buf, PV_STR("ab cd")),
	    "a ceiling is kept");
	pv_buf_finish(&buf);
}

int main(void)
{
	test_reading();
	test_beginnings();
	test_making_valid();
	test_collapsing();
	test_writing();
	return tap_done();
}
