#include "base/visible.h"

#include "base/utf8.h"
#include "tap.h"

static const struct {
	const char *claim;
	struct pv_str text;
	const char *visible;
} cases[] = {
    {"plain text", PV_STR("a b~"), "a b~"},
    {"nothing", PV_STR(""), ""},
    {"no text", {NULL, 0}, ""},
    {"other writings", PV_STR("\xc3\xa9\xe6\xbc\xa2\xd7\x90\xf0\x9f\x98\x80"),
	"\xc3\xa9\xe6\xbc\xa2\xd7\x90\xf0\x9f\x98\x80"},
    {"ends of lines", PV_STR("a\r\nb\tc"), "a\\r\\nb\\tc"},
    {"NUL", PV_STR("a\0b"), "a\\x00b"},
    {"a backslash stands as it is", PV_STR("\\n"), "\\n"},
    {"the screen cleared", PV_STR("\x1b[2J\x1b[H"), "\\x1b[2J\\x1b[H"},
    {"the title set", PV_STR("\x1b]0;x\x07"), "\\x1b]0;x\\x07"},
    {"the clipboard set", PV_STR("\x1b]52;c;eA==\x1b\\"),
	"\\x1b]52;c;eA==\\x1b\\"},
    {"backspaces", PV_STR("a\b\x7f"), "a\\x08\\x7f"},
    {"C1 as bytes",
	PV_STR("\x9b"
	       "2J"),
	"\\x9b2J"},
    {"C1 as characters", PV_STR("\xc2\x80\xc2\x9b\xc2\x9f"),
	"\\u{0080}\\u{009b}\\u{009f}"},
    {"what follows C1", PV_STR("\xc2\xa0"), "\xc2\xa0"},
    {"overrides",
	PV_STR("\xe2\x80\xae"
	       "fdp.exe"),
	"\\u{202e}fdp.exe"},
    {"isolates", PV_STR("\xe2\x81\xa6\xe2\x81\xa9"), "\\u{2066}\\u{2069}"},
    {"the Arabic mark", PV_STR("\xd8\x9c"), "\\u{061c}"},
    {"zero width",
	PV_STR("a\xe2\x80\x8b"
	       "b"),
	"a\\u{200b}b"},
    {"separators", PV_STR("\xe2\x80\xa8\xe2\x80\xa9"), "\\u{2028}\\u{2029}"},
    {"the BOM", PV_STR("\xef\xbb\xbf"), "\\u{feff}"},
    {"tags", PV_STR("\xf3\xa0\x81\x81"), "\\u{e0041}"},
    {"bytes that are not UTF-8", PV_STR("\xff\xc0\xaf\xed\xa0\x80"),
	"\\xff\\xc0\\xaf\\xed\\xa0\\x80"},
    {"a character cut short", PV_STR("\xe2\x82"), "\\xe2\\x82"},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_buf buf;
		pv_buf_init(&buf, 1000);
		pv_visible_append(&buf, cases[i].text);
		is_text(
		    pv_buf_str(&buf), cases[i].visible, "%s", cases[i].claim);
		pv_buf_finish(&buf);
	}
}

/* What obeys no rule of writing: Unicode's Bidi_Control, C0, DEL, C1. */
static bool is_dangerous(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x61c ||
	       c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

static void test_everything(void)
{
	struct pv_buf raw;
	struct pv_buf shown;
	uint32_t passed = 0;
	uint32_t hidden = 0;
	pv_buf_init(&raw, 4);
	pv_buf_init(&shown, 100);
	for (uint32_t c = 0; c <= 0x10ffff; c++) {
		pv_buf_clear(&raw);
		pv_buf_clear(&shown);
		pv_utf8_append(&raw, c);
		pv_visible_append(&shown, pv_buf_str(&raw));
		bool is_same =
		    pv_str_equal(pv_buf_str(&raw), pv_buf_str(&shown));
		passed += is_same && is_dangerous(c);
		hidden += !is_same && c >= 0x20 && c < 0x7f;
	}
	ok(passed == 0, "of all characters no control and no bidi mark passes");
	ok(hidden == 0, "what can be printed in ASCII stands as it is");
	pv_buf_finish(&raw);
	pv_buf_finish(&shown);
}

static void test_ceiling(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 5);
	ok(pv_visible_append(&buf, PV_STR("a\x1b")),
	    "what fits exactly is whole");
	pv_buf_clear(&buf);
	ok(!pv_visible_append(&buf, PV_STR("ab\x1b"
					   "c")) &&
		buf.is_full,
	    "what does not fit is not");
	is_text(pv_buf_str(&buf), "ab", "it is cut between two characters");
	pv_buf_finish(&buf);
}

__attribute__((format(printf, 2, 3))) static bool append(
    struct pv_buf *buf, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	bool is_whole = pv_visible_append_format_list(buf, format, list);
	va_end(list);
	return is_whole;
}

static const struct {
	const char *text;
	size_t ceiling;
	const char *wanted;
} formats[] = {
    {"abc", 8, "<abc 7>"},
    {"abc", 7, "<abc 7>"},
    {"abc", 6, "<abc 7"},
    {"abc", 1, "<"},
    {"abc", 0, ""},
    {"\x1b", 9, "<\\x1b 7>"},
    {"\x1b", 8, "<\\x1b 7>"},
    {"\x1b", 7, "<\\x1b 7"},
    {"\x1b", 4, "<"},
    {"\xf0\x9f\x98\x80", 8, "<\xf0\x9f\x98\x80 7>"},
    {"\xf0\x9f\x98\x80", 5, "<\xf0\x9f\x98\x80"},
    {"\xf0\x9f\x98\x80", 4, "<"},
    {"\xf0\x9f\x98\x80", 3, "<"},
    {"\xf0\x9f\x98\x80", 2, "<"},
};

static void test_formats(void)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		struct pv_buf buf;
		size_t len = strlen(formats[i].wanted);
		pv_buf_init(&buf, formats[i].ceiling);
		bool is_whole = append(&buf, "<%s %d>", formats[i].text, 7);
		is_text(pv_buf_str(&buf), formats[i].wanted,
		    "under a ceiling of %zu stands what fits of the format",
		    formats[i].ceiling);
		ok(is_whole == (len && formats[i].wanted[len - 1] == '>') &&
			buf.is_full == !is_whole,
		    "and it is told whether that is all");
		pv_buf_finish(&buf);
	}
	struct pv_buf buf;
	pv_buf_init(&buf, 100);
	append(&buf, "a%cb", '\0');
	is_text(pv_buf_str(&buf), "a\\x00b", "a format may write NUL");
	pv_buf_finish(&buf);
}

int main(void)
{
	test_cases();
	test_everything();
	test_ceiling();
	test_formats();
	return tap_done();
}
