#include "base/reader.h"

#include "base/ascii.h"
#include "tap.h"

static void test_bytes(void)
{
	struct pv_reader reader = pv_reader_of(PV_STR("\0\xff"));
	ok(pv_reader_left(&reader) == 2, "two bytes are left");
	ok(pv_reader_peek(&reader) == 0 && pv_reader_next(&reader) == 0,
	    "NUL is a byte");
	ok(pv_reader_peek(&reader) == 255 && pv_reader_next(&reader) == 255,
	    "bytes are unsigned");
	ok(pv_reader_is_end(&reader) && pv_reader_left(&reader) == 0,
	    "then comes the end");
	ok(pv_reader_peek(&reader) == -1 && pv_reader_next(&reader) == -1 &&
		pv_reader_next(&reader) == -1,
	    "where a byte reads as -1, however often");
}

/* Whatever is asked of a reader of nothing. */
static void test_nothing(struct pv_str nothing, const char *name)
{
	struct pv_reader reader = pv_reader_of(nothing);
	uint64_t number = 7;
	ok(pv_reader_is_end(&reader) && pv_reader_next(&reader) == -1,
	    "%s: is at its end", name);
	ok(!pv_reader_accept(&reader, '\0') &&
		!pv_reader_accept_str(&reader, PV_STR("a")),
	    "%s: accepts nothing", name);
	ok(pv_reader_accept_str(&reader, PV_STR("")) &&
		pv_reader_accept_str(&reader, (struct pv_str){NULL, 0}),
	    "%s: accepts empty text", name);
	ok(pv_reader_rest(&reader).len == 0 &&
		pv_reader_take(&reader, 5).len == 0 &&
		pv_reader_take_while(&reader, pv_is_digit).len == 0 &&
		pv_reader_take_until(&reader, 'a').len == 0 &&
		pv_reader_take_line(&reader).len == 0,
	    "%s: takes nothing", name);
	ok(!pv_reader_take_number(&reader, 9, &number) && number == 7,
	    "%s: has no number", name);
}

static void test_taking(void)
{
	struct pv_reader reader = pv_reader_of(PV_STR("key: 12, rest"));
	ok(!pv_reader_accept(&reader, 'K') && pv_reader_accept(&reader, 'k'),
	    "a byte is accepted if it is next");
	ok(!pv_reader_accept_str(&reader, PV_STR("ex")) &&
		pv_reader_accept_str(&reader, PV_STR("ey")),
	    "so is a text");
	is_text(pv_reader_take(&reader, 2), ": ", "bytes are taken");
	is_text(pv_reader_take_while(&reader, pv_is_digit), "12",
	    "what is of a kind is taken");
	is_text(
	    pv_reader_take_while(&reader, pv_is_digit), "", "maybe nothing");
	is_text(pv_reader_take_until(&reader, 'r'), ", ",
	    "what stands before a byte is taken");
	is_text(pv_reader_rest(&reader), "rest", "the byte stays");
	is_text(pv_reader_take_until(&reader, 'x'), "rest",
	    "all is taken if the byte is nowhere");
	reader = pv_reader_of(PV_STR("abc"));
	is_text(pv_reader_take(&reader, SIZE_MAX), "abc",
	    "no more is taken than there is");
	ok(pv_reader_is_end(&reader), "and the end is the end");
	reader = pv_reader_of(PV_STR("abc"));
	ok(!pv_reader_accept_str(&reader, PV_STR("abcd")) &&
		pv_reader_left(&reader) == 3,
	    "a text that is only begun is not accepted");
	reader = pv_reader_of(PV_STR("\xff"));
	ok(pv_reader_accept(&reader, '\xff'),
	    "a byte beyond ASCII is accepted");
	reader = pv_reader_of(PV_STR("12"));
	is_text(pv_reader_take_while(&reader, pv_is_digit), "12",
	    "a kind ends at the end");
}

static const struct {
	struct pv_str text;
	const char *lines; /* each followed by | */
} lines[] = {
    {PV_STR("a\nb\n"), "a|b|"},
    {PV_STR("a\nb"), "a|b|"},
    {PV_STR("a\r\nb\r\n"), "a|b|"},
    {PV_STR("a\rb\r"), "a|b|"},
    {PV_STR("\n\n"), "||"},
    {PV_STR("\r\r"), "||"},
    {PV_STR("\r\n\r\n"), "||"},
    {PV_STR("\n\r"), "||"},
    {PV_STR("\r\r\n"), "||"},
    {PV_STR("a\r\n\nb"), "a||b|"},
    {PV_STR(" a \t\n"), " a \t|"},
    {PV_STR(""), ""},
};

static void test_lines(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct pv_reader reader = pv_reader_of(lines[i].text);
		char found[64];
		size_t len = 0;
		while (!pv_reader_is_end(&reader) && len < sizeof(found) / 2) {
			struct pv_str line = pv_reader_take_line(&reader);
			memcpy(found + len, line.ptr, line.len);
			len += line.len;
			found[len++] = '|';
		}
		struct pv_str all = {found, len};
		is_text(all, lines[i].lines,
		    "lines end with LF, CR or CRLF: case %zu", i);
	}
	struct pv_reader reader = pv_reader_of(PV_STR("a\0b\nc"));
	ok(pv_str_equal(pv_reader_take_line(&reader), PV_STR("a\0b")),
	    "NUL does not end a line");
}

static const struct {
	const char *text;
	uint64_t max;
	bool is_number;
	uint64_t number;
	size_t left;
} numbers[] = {
    {"0", 0, true, 0, 0},
    {"1", 0, false, 7, 1},
    {"12ab", 100, true, 12, 2},
    {"100", 100, true, 100, 0},
    {"101", 100, false, 7, 3},
    {"1000", 100, false, 7, 4},
    {"0000000000000000000000007", 9, true, 7, 0},
    {"9", 8, false, 7, 1},
    {"-1", 9, false, 7, 2},
    {"+1", 9, false, 7, 2},
    {" 1", 9, false, 7, 2},
    {"1 2", 9, true, 1, 2},
    {"x", 9, false, 7, 1},
    {"18446744073709551615", UINT64_MAX, true, UINT64_MAX, 0},
    {"18446744073709551616", UINT64_MAX, false, 7, 20},
    {"18446744073709551620", UINT64_MAX, false, 7, 20},
    {"28446744073709551615", UINT64_MAX, false, 7, 20},
    {"184467440737095516150", UINT64_MAX, false, 7, 21},
    {"18446744073709551614", UINT64_MAX - 1, true, UINT64_MAX - 1, 0},
    {"18446744073709551615", UINT64_MAX - 1, false, 7, 20},
};

static void test_numbers(void)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct pv_reader reader =
		    pv_reader_of(pv_str_of(numbers[i].text));
		uint64_t number = 7;
		bool is_number =
		    pv_reader_take_number(&reader, numbers[i].max, &number);
		ok(is_number == numbers[i].is_number &&
			number == numbers[i].number &&
			pv_reader_left(&reader) == numbers[i].left,
		    "\"%s\" %s a number of at most %llu", numbers[i].text,
		    numbers[i].is_number ? "begins with"
					 : "does not begin with",
		    (unsigned long long)numbers[i].max);
	}
}

int main(void)
{
	test_bytes();
	test_nothing(PV_STR(""), "empty text");
	test_nothing((struct pv_str){NULL, 0}, "no text");
	test_taking();
	test_lines();
	test_numbers();
	return tap_done();
}
