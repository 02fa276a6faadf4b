#include "robots/line.h"

#include "base/buf.h"
#include "tap.h"

/* What of a text is read: "number kind value" of each line, "!" if it is
 * cut. */
static const struct {
	const char *claim;
	struct pv_str text;
	const char *read;
} cases[] = {
    {"lines are counted from 1", PV_STR("allow: /a\n\nallow: /b\n"),
	"1 1 /a|3 1 /b|"},
    {"CRLF is one end", PV_STR("allow: /a\r\n\r\nallow: /b"), "1 1 /a|3 1 /b|"},
    {"CR alone is one too", PV_STR("allow: /a\r\rallow: /b"), "1 1 /a|3 1 /b|"},
    {"a NUL is a byte of its line", PV_STR("allow: /a\0b\nallow: /c"),
	"1 1 /a\\x00b|2 1 /c|"},
    {"what is not known is a line without a value",
	PV_STR("hello\nhost: x\n: /\nallow: /a"), "1 9 |2 9 |3 9 |4 1 /a|"},
    {"a blank line and a comment are none",
	PV_STR("\n \t\n# allow: /b\n \t# x\nallow: /a"), "5 1 /a|"},
    {"each kind is known",
	PV_STR("user-agent: a\nallow: b\ndisallow: c\nsitemap: d\n"
	       "crawl-delay: e\nrequest-rate: f\nvisit-time: g\n"
	       "content-usage: h\ncontent-signal: i"),
	"1 0 a|2 1 b|3 2 c|4 3 d|5 4 e|6 5 f|7 6 g|8 7 h|9 8 i|"},
    {"only the first colon parts", PV_STR("sitemap: https://a:1/"),
	"1 3 https://a:1/|"},
    {"without a colon a blank parts", PV_STR("sitemap https://a/"),
	"1 3 https://a/|"},
    {"but not more than one", PV_STR("disallow /a b"), "1 9 |"},
    {"and not without a value", PV_STR("disallow\ndisallow \nallow: /"),
	"1 9 |2 9 |3 1 /|"},
    {"a byte order mark is no part of a name",
	PV_STR("\xef\xbb\xbf"
	       "allow: /a"),
	"1 1 /a|"},
    {"but one elsewhere is",
	PV_STR("x\n\xef\xbb\xbf"
	       "allow: /a"),
	"1 9 |2 9 |"},
    {"half a mark is none",
	PV_STR("\xef\xbb"
	       "allow: /a\nallow: /b"),
	"1 9 |2 1 /b|"},
};

static void write(const struct pv_robots_line *line, struct pv_buf *read)
{
	pv_buf_append_format(read, "%u %d ", line->number, (int)line->kind);
	struct pv_reader reader = pv_reader_of(line->value);
	while (!pv_reader_is_end(&reader)) {
		int byte = pv_reader_next(&reader);
		if (byte)
			pv_buf_append_char(read, (char)byte);
		else
			pv_buf_append_text(read, "\\x00");
	}
	pv_buf_append_text(read, line->is_cut ? "!|" : "|");
}

static void read_all(struct pv_str text, bool is_cut, struct pv_buf *read)
{
	struct pv_robots_lines lines = pv_robots_lines_of(text, is_cut);
	struct pv_robots_line line;
	pv_buf_clear(read);
	while (pv_robots_lines_next(&lines, &line))
		write(&line, read);
}

static void test_reading(struct pv_buf *read)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		read_all(cases[i].text, false, read);
		is_text(pv_buf_str(read), cases[i].read, "%s", cases[i].claim);
	}
}

static void test_cuts(struct pv_buf *read)
{
	read_all(PV_STR("allow: /a\nallow: /b"), true, read);
	is_text(pv_buf_str(read), "1 1 /a|2 1 /b!|",
	    "of a file that is cut the last line is");
	read_all(PV_STR("allow: /a\nallow: /b\n"), true, read);
	is_text(pv_buf_str(read), "1 1 /a|2 1 /b|", "unless its end is there");
	read_all(PV_STR("allow: /a # comm"), true, read);
	is_text(
	    pv_buf_str(read), "1 1 /a|", "a comment that is cut cuts no value");
	read_all(PV_STR("allow: /a"), false, read);
	is_text(pv_buf_str(read), "1 1 /a|",
	    "a file that only has no last end is whole");
}

static void test_text(void)
{
	struct pv_robots_lines lines =
	    pv_robots_lines_of(PV_STR("\t Allow :  /a # all\t\n"), false);
	struct pv_robots_line line;
	ok(pv_robots_lines_next(&lines, &line), "a line is read");
	is_text(line.text, "Allow :  /a # all",
	    "it is told as it stands, without blanks around it (P4)");
	is_text(line.value, "/a", "its value is without the comment");
}

static const struct {
	const char *claim;
	struct pv_str text;
	enum pv_robots_form form;
} forms[] = {
    {"rules are text", PV_STR("User-agent: *"), PV_ROBOTS_TEXT},
    {"nothing is text", PV_STR(""), PV_ROBOTS_TEXT},
    {"a doctype is markup", PV_STR("<!DOCTYPE html>"), PV_ROBOTS_MARKUP},
    {"an element is too", PV_STR("<html lang=en>"), PV_ROBOTS_MARKUP},
    {"behind a mark and white space too", PV_STR("\xef\xbb\xbf\r\n\t <Head>"),
	PV_ROBOTS_MARKUP},
    {"XML is too", PV_STR("<?xml version=\"1.0\"?>"), PV_ROBOTS_MARKUP},
    {"something else in angles is not", PV_STR("<allow>"), PV_ROBOTS_TEXT},
    {"half a word is not", PV_STR("<htm"), PV_ROBOTS_TEXT},
    {"UTF-16 is seen by its mark", PV_STR("\xff\xfeU\0s\0"), PV_ROBOTS_UTF16},
    {"with the other end first too", PV_STR("\xfe\xff\0U\0s"), PV_ROBOTS_UTF16},
    {"UTF-32 too", PV_STR("\0\0\xfe\xff\0\0\0U"), PV_ROBOTS_UTF16},
};

int main(void)
{
	struct pv_buf read;
	pv_buf_init(&read, 1000);
	test_reading(&read);
	test_cuts(&read);
	test_text();
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		ok(pv_robots_form(forms[i].text) == forms[i].form, "%s",
		    forms[i].claim);
	pv_buf_finish(&read);
	return tap_done();
}
