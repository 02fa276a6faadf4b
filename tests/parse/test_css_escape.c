#include "parse/css_escape.h"

#include "tap.h"

static const struct {
	const char *claim;
	struct pv_str text;
	const char *meaning;
} texts[] = {
    {"text without escapes", PV_STR("a.png"), "a.png"},
    {"a character for itself", PV_STR("a\\)b\\\\\\gc\\\"\\ d"), "a)b\\gc\" d"},
    {"by its number", PV_STR("\\61\\000062\\43"), "abC"},
    {"of at most six digits", PV_STR("\\0000611\\a0000000"),
	"a1\xef\xbf\xbd"
	"00"},
    {"one space ends a number", PV_STR("\\61 b\\61  b\\61\tb\\61\nb"),
	"aba babab"},
    {"so does one end of a line", PV_STR("\\61\r\nb\\61\r\rb\\61\f\fb"),
	"aba\rba\fb"},
    {"also behind six digits", PV_STR("\\000061 b"), "ab"},
    {"beyond ASCII", PV_STR("\\e9\\20ac\\1F600"),
	"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
    {"numbers of no character", PV_STR("\\0\\d800\\dfff\\110000\\ffffff"),
	"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    {"the last character", PV_STR("\\10ffff"), "\xf4\x8f\xbf\xbf"},
    {"an end of a line is nothing", PV_STR("a\\\nb\\\rc\\\fd\\\r\ne"), "abcde"},
    {"and a backslash at the end", PV_STR("a\\"), "a"},
    {"bytes beyond ASCII stay", PV_STR("\\\xc3\xa9\xff"), "\xc3\xa9\xff"},
};

static const struct {
	const char *claim;
	struct pv_str name;
	const char *wanted;
	bool is_same;
} names[] = {
    {"a name is itself", PV_STR("url"), "url", true},
    {"in letters of any size", PV_STR("UrL"), "url", true},
    {"with escapes", PV_STR("\\75\\52\\00006c"), "url", true},
    {"with a space behind a number", PV_STR("u\\72 l"), "url", true},
    {"with letters escaped", PV_STR("\\u\\rl"), "url", true},
    {"a longer one is another", PV_STR("urls"), "url", false},
    {"a shorter one, too", PV_STR("ur"), "url", false},
    {"even by escapes", PV_STR("u\\72"), "url", false},
    {"bytes beyond ASCII are no letters", PV_STR("u\xf2l"), "url", false},
    {"nor are their numbers", PV_STR("u\\172l"), "url", false},
    {"a backslash at the end is one more character", PV_STR("url\\"), "url",
	false},
};

int main(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 100);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		pv_buf_clear(&buf);
		pv_css_unescape(texts[i].text, &buf);
		is_text(
		    pv_buf_str(&buf), texts[i].meaning, "%s", texts[i].claim);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		ok(pv_css_name_is(names[i].name, pv_str_of(names[i].wanted)) ==
			names[i].is_same,
		    "%s", names[i].claim);
	pv_buf_finish(&buf);
	pv_buf_init(&buf, 4);
	pv_css_unescape(PV_STR("\\61\\62\\63\\64\\65"), &buf);
	ok(buf.is_full && buf.len == 4, "P5: there is a ceiling");
	pv_buf_finish(&buf);
	return tap_done();
}
