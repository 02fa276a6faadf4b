#include "http/headers.h"

#include "tap.h"

/* One line into an empty list. */
static const struct {
	const char *claim;
	struct pv_str line;
	enum pv_header_result result;
	const char *name;
	const char *value;
} lines[] = {
    {"a line is taken", PV_STR("Server: here"), PV_HEADER_ADDED, "Server",
	"here"},
    {"without its end", PV_STR("Server: here\r\n"), PV_HEADER_ADDED, "Server",
	"here"},
    {"even if that is half", PV_STR("Server: here\n"), PV_HEADER_ADDED,
	"Server", "here"},
    {"blanks around a value are none of it", PV_STR("A: \t b c \t\r\n"),
	PV_HEADER_ADDED, "A", "b c"},
    {"a value may be empty", PV_STR("A:\r\n"), PV_HEADER_ADDED, "A", ""},
    {"no space is needed", PV_STR("A:b"), PV_HEADER_ADDED, "A", "b"},
    {"only the first colon parts", PV_STR("A: b:c"), PV_HEADER_ADDED, "A",
	"b:c"},
    {"bytes beyond ASCII stay", PV_STR("A: \xc3\xa9\xff"), PV_HEADER_ADDED, "A",
	"\xc3\xa9\xff"},
    {"a tab within stays", PV_STR("A: b\tc"), PV_HEADER_ADDED, "A", "b\tc"},
    {"a line without a colon is left out", PV_STR("Server"), PV_HEADER_NO_COLON,
	NULL, NULL},
    {"an empty line too", PV_STR("\r\n"), PV_HEADER_NO_COLON, NULL, NULL},
    {"a line without a name too", PV_STR(": b"), PV_HEADER_BAD_NAME, NULL,
	NULL},
    {"a space before the colon too", PV_STR("A : b"), PV_HEADER_BAD_NAME, NULL,
	NULL},
    {"a name of two words too", PV_STR("A B: c"), PV_HEADER_BAD_NAME, NULL,
	NULL},
    {"a name beyond ASCII too", PV_STR("\xc3\x84: b"), PV_HEADER_BAD_NAME, NULL,
	NULL},
    {"a NUL in the name too", PV_STR("A\0: b"), PV_HEADER_BAD_NAME, NULL, NULL},
    {"a NUL in the value too", PV_STR("A: b\0c"), PV_HEADER_BAD_BYTE, NULL,
	NULL},
    {"a CR within too", PV_STR("A: b\rX: c\r\n"), PV_HEADER_BAD_BYTE, NULL,
	NULL},
    {"a CR at the end, alone, too", PV_STR("A: b\r"), PV_HEADER_BAD_BYTE, NULL,
	NULL},
    {"a CR too many too", PV_STR("A: b\r\r\n"), PV_HEADER_BAD_BYTE, NULL, NULL},
    {"an LF within too", PV_STR("A: b\nX: c\r\n"), PV_HEADER_BAD_BYTE, NULL,
	NULL},
    {"an escape sequence too", PV_STR("A: \x1b[31m"), PV_HEADER_BAD_BYTE, NULL,
	NULL},
    {"DEL too", PV_STR("A: \x7f"), PV_HEADER_BAD_BYTE, NULL, NULL},
    {"what goes on with nothing too", PV_STR(" b"), PV_HEADER_BAD_FOLD, NULL,
	NULL},
};

static void test_lines(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct pv_headers headers;
		pv_headers_init(&headers, 10, 100);
		enum pv_header_result result =
		    pv_headers_add_line(&headers, lines[i].line);
		ok(result == lines[i].result &&
			headers.count == (lines[i].name ? 1 : 0),
		    "%s", lines[i].claim);
		ok(pv_header_result_text(result)[0] != '\0',
		    "and there is a word for it (P4)");
		if (headers.count && lines[i].name) {
			struct pv_header header = pv_headers_at(&headers, 0);
			is_text(header.name, lines[i].name, "with its name");
			is_text(header.value, lines[i].value, "and its value");
		}
		pv_headers_finish(&headers);
	}
}

static void test_folds(void)
{
	struct pv_headers headers;
	pv_headers_init(&headers, 10, 100);
	pv_headers_add_line(&headers, PV_STR("A: one\r\n"));
	pv_headers_add_line(&headers, PV_STR(" \t two \r\n"));
	pv_headers_add_line(&headers, PV_STR("\t\r\n"));
	pv_headers_add_line(&headers, PV_STR("\tthree: 3\r\n"));
	pv_headers_add_line(&headers, PV_STR("B:\r\n"));
	pv_headers_add_line(&headers, PV_STR(" four\r\n"));
	is_text(pv_headers_get(&headers, PV_STR("A")), "one two three: 3",
	    "a fold reads as one space");
	is_text(pv_headers_get(&headers, PV_STR("B")), "four",
	    "and as none where nothing stands before it");
	ok(headers.count == 2, "a folded line is no field of its own");
	pv_headers_add_line(&headers, PV_STR("C : left out\r\n"));
	ok(pv_headers_add_line(&headers, PV_STR(" more\r\n")) ==
		PV_HEADER_BAD_FOLD,
	    "what goes on with a line that was left out is left out");
	is_text(pv_headers_get(&headers, PV_STR("B")), "four",
	    "and does not go on with the one before it");
	pv_headers_add_line(&headers, PV_STR("D: text/html\r\n"));
	pv_headers_add_line(&headers, PV_STR(" ;\0x\r\n"));
	ok(!pv_headers_get(&headers, PV_STR("D")).ptr,
	    "a field that goes on wrongly is left out whole");
	ok(pv_headers_add_line(&headers, PV_STR(" again\r\n")) ==
		PV_HEADER_BAD_FOLD,
	    "and cannot go on again");
	pv_headers_finish(&headers);
}

static void test_names(void)
{
	struct pv_headers headers;
	struct pv_str value;
	size_t at = 0;
	pv_headers_init(&headers, 10, 100);
	pv_headers_add(&headers, PV_STR("Link"), PV_STR("<a>"));
	pv_headers_add(&headers, PV_STR("Other"), PV_STR(""));
	pv_headers_add(&headers, PV_STR("LINK"), PV_STR(" <b> "));
	is_text(pv_headers_get(&headers, PV_STR("link")), "<a>",
	    "the first of a name is found, whatever the case");
	ok(!pv_headers_get(&headers, PV_STR("Lin")).ptr,
	    "a part of a name is not");
	value = pv_headers_get(&headers, PV_STR("other"));
	ok(value.ptr && !value.len, "an empty value is there");
	ok(pv_headers_next(&headers, PV_STR("link"), &at, &value),
	    "each of a name is found");
	is_text(value, "<a>", "the first of them");
	ok(pv_headers_next(&headers, PV_STR("link"), &at, &value),
	    "and the next");
	is_text(value, "<b>", "which is another");
	ok(!pv_headers_next(&headers, PV_STR("link"), &at, &value),
	    "until there is no more");
	ok(pv_headers_add(&headers, PV_STR("A"), PV_STR("b\r\nX: y")) ==
		    PV_HEADER_BAD_BYTE &&
		headers.count == 3,
	    "no value smuggles a line in");
	pv_headers_clear(&headers);
	ok(!headers.count && !pv_headers_get(&headers, PV_STR("link")).ptr,
	    "a cleared list is empty");
	pv_headers_finish(&headers);
}

static void test_count(void)
{
	struct pv_headers headers;
	unsigned added = 0;
	pv_headers_init(&headers, 3, 1000);
	for (unsigned i = 0; i < 100000; i++)
		added += pv_headers_add_line(&headers, PV_STR("A: b")) ==
			 PV_HEADER_ADDED;
	ok(added == 3 && headers.count == 3 && headers.is_full,
	    "of 100,000 fields no more are taken than the ceiling says (P5)");
	pv_headers_clear(&headers);
	ok(!headers.is_full && pv_headers_add_line(&headers, PV_STR("A: b")) ==
				   PV_HEADER_ADDED,
	    "a cleared list takes fields again");
	pv_headers_finish(&headers);
}

static void test_bytes(void)
{
	static char long_line[1 << 20];
	struct pv_headers headers;
	memset(long_line, 'x', sizeof(long_line));
	long_line[1] = ':';
	struct pv_str line = {long_line, sizeof(long_line)};
	pv_headers_init(&headers, 10, 12);
	pv_headers_add_line(&headers, PV_STR("Name: value"));
	ok(pv_headers_add_line(&headers, line) == PV_HEADER_TOO_MANY &&
		headers.is_full && headers.text.size <= 13,
	    "a line of 1 MiB does not get past the ceiling (P5)");
	is_text(pv_headers_get(&headers, PV_STR("name")), "value",
	    "what was there stays");
	ok(pv_headers_add_line(&headers, PV_STR("a:b")) == PV_HEADER_TOO_MANY,
	    "and nothing comes after it");
	pv_headers_clear(&headers);
	ok(pv_headers_add_line(&headers, PV_STR("a: 23456789012")) ==
		PV_HEADER_ADDED,
	    "what fills it to the last byte is taken");
	pv_headers_clear(&headers);
	pv_headers_add_line(&headers, PV_STR("a: 234567890"));
	ok(pv_headers_add_line(&headers, PV_STR(" 23")) == PV_HEADER_TOO_MANY,
	    "a fold does not get past it either (P5)");
	is_text(pv_headers_get(&headers, PV_STR("a")), "234567890",
	    "and leaves the value as it was");
	pv_headers_finish(&headers);
}

int main(void)
{
	test_lines();
	test_folds();
	test_names();
	test_count();
	test_bytes();
	return tap_done();
}
