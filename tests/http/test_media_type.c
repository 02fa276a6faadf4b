#include "http/media_type.h"

#include "tap.h"

#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define LONGEST HUNDRED TEN TEN "0123456"

static const struct {
	const char *claim;
	const char *text;
	const char *name;    /* NULL: no media type */
	const char *charset; /* NULL: says none */
} cases[] = {
    {"a type is read", "text/html", "text/html", NULL},
    {"with its charset", "text/html; charset=utf-8", "text/html", "utf-8"},
    {"whatever the case", "Text/HTML;CHARSET=UTF-8", "Text/HTML", "UTF-8"},
    {"or in quotes", "text/html; charset=\"utf-8\"", "text/html", "utf-8"},
    {"after others", "text/html; a=b; c=\"d;charset=x\"; charset=utf-8",
	"text/html", "utf-8"},
    {"the first charset counts", "text/html;charset=a;charset=b", "text/html",
	"a"},
    {"blanks do not matter", " \ttext/html\t; charset = utf-8 ", "text/html",
	"utf-8"},
    {"a semicolon may stand alone", "text/html;", "text/html", NULL},
    {"an evil charset is only text", "text/html; charset=../../evil",
	"text/html", "../../evil"},
    {"of several types the first counts",
	"text/html; charset=utf-8, text/plain; charset=x", "text/html",
	"utf-8"},
    {"also without parameters", "text/html, text/plain;charset=x", "text/html",
	NULL},
    {"suffixes belong to it", "application/rss+xml", "application/rss+xml",
	NULL},
    {"halves of 127 bytes are read", LONGEST "/" LONGEST, LONGEST "/" LONGEST,
	NULL},
    {"longer ones are refused", LONGEST "8/html", NULL, NULL},
    {"in either half", "text/" LONGEST "8", NULL, NULL},
    {"no text is no type", "", NULL, NULL},
    {"one half is none", "text", NULL, NULL},
    {"nor is an empty one", "/html", NULL, NULL},
    {"on either side", "text/", NULL, NULL},
    {"a blank in it is refused", "text /html", NULL, NULL},
    {"on either side of the slash", "text/ html", NULL, NULL},
    {"three halves are refused", "text/html/x", NULL, NULL},
    {"two words are refused", "text/html charset=utf-8", NULL, NULL},
    {"tags are refused", "<b>text/html", NULL, NULL},
};

static void test_reading(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_media_type type;
		struct pv_buf charset;
		pv_buf_init(&charset, 40);
		bool is_read =
		    pv_media_type_read(pv_str_of(cases[i].text), &type);
		ok(is_read == (cases[i].name != NULL), "%s", cases[i].claim);
		if (is_read && cases[i].name) {
			is_text(type.name, cases[i].name, "this is the type");
			bool has_charset = pv_media_type_get(
			    &type, PV_STR("charset"), &charset);
			ok(has_charset == (cases[i].charset != NULL),
			    "a charset is found where there is one");
			is_text(pv_buf_str(&charset),
			    cases[i].charset ? cases[i].charset : "",
			    "and this is it");
		}
		pv_buf_finish(&charset);
	}
}

static void test_is(void)
{
	struct pv_media_type type;
	pv_media_type_read(PV_STR("TEXT/Html;charset=x"), &type);
	is_text(type.type, "TEXT", "the type is told");
	is_text(type.subtype, "Html", "and the subtype");
	ok(pv_media_type_is(&type, PV_STR("text/html")),
	    "a type is itself, whatever its case and parameters");
	ok(!pv_media_type_is(&type, PV_STR("text/htm")) &&
		!pv_media_type_is(&type, PV_STR("text/html5")),
	    "and no other");
}

static void test_length(void)
{
	static char text[1 << 20] = "text/html; charset=";
	struct pv_media_type type;
	struct pv_buf charset;
	memset(text + 19, 'x', sizeof(text) - 19);
	pv_buf_init(&charset, 40);
	ok(pv_media_type_read((struct pv_str){text, sizeof(text)}, &type) &&
		!pv_media_type_get(&type, PV_STR("charset"), &charset) &&
		charset.len == 0,
	    "a charset of 1 MiB is none (P5)");
	pv_buf_finish(&charset);
}

static void test_ranges(void)
{
	static const char *const ranges[] = {"text/html", "image/*"};
	static const struct {
		const char *type;
		bool is_among;
	} types[] = {
	    {"text/html", true},
	    {"Text/HTML", true},
	    {"image/png", true},
	    {"image/svg+xml", true},
	    {"text/plain", false},
	    {"text/htmlx", false},
	    {"ximage/png", false},
	    {"", false},
	    {LONGEST "/" LONGEST, false},
	    {LONGEST "/" LONGEST "8", false},
	};
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		ok(pv_media_type_is_among(pv_str_of(types[i].type), ranges,
		       2) == types[i].is_among,
		    "%.20s is %s among text/html and image/*", types[i].type,
		    types[i].is_among ? "" : "not");
	ok(!pv_media_type_is_among(PV_STR("text/html"), NULL, 0),
	    "nothing is among none");
}

int main(void)
{
	test_ranges();
	test_reading();
	test_is();
	test_length();
	return tap_done();
}
