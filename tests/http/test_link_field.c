#include "http/link_field.h"

#include "tap.h"

/* What of a header is read: target and relation of each. */
static const struct {
	const char *claim;
	const char *text;
	const char *read;
} cases[] = {
    {"a link is read", "<https://example.org/2>; rel=next",
	"[https://example.org/2 next]"},
    {"with quotes", "</b>; rel=\"next\"", "[/b next]"},
    {"whatever the case", "</b>; REL=next", "[/b next]"},
    {"among other parameters", "</b>; title=\"x\"; rel=next; type=a/b",
	"[/b next]"},
    {"several in a line are read", "</a>; rel=next, </b>;rel=prev,<c>",
	"[/a next][/b prev][c ]"},
    {"a comma in a target is a part of it", "</a,b>; rel=next, </c>",
	"[/a,b next][/c ]"},
    {"a semicolon too", "</a;b>; rel=next", "[/a;b next]"},
    {"a comma in quotes is text", "</a>; title=\"x, <y>\"; rel=next, </b>",
	"[/a next][/b ]"},
    {"a quote that is escaped ends nothing",
	"</a>; title=\"x\\\", <y>\"; rel=next", "[/a next]"},
    {"the first rel counts", "</a>; rel=next; rel=prev", "[/a next]"},
    {"a target may be empty", "<>; rel=self", "[ self]"},
    {"empty places are left out", ",, </a> ,, ,</b>,", "[/a ][/b ]"},
    {"what is no link is left out", "x; y=\"z, </a>\", </b>", "[/b ]"},
    {"a target without an end is left out", "</a>, </b; rel=next", "[/a ]"},
    {"no text has none", "", ""},
};

static void test_reading(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_reader reader =
		    pv_reader_of(pv_str_of(cases[i].text));
		struct pv_link_field link;
		struct pv_buf read;
		pv_buf_init(&read, 200);
		while (pv_link_field_next(&reader, &link)) {
			pv_buf_append_format(
			    &read, "[%.*s ", PV_STR_ARG(link.target));
			pv_link_field_get(&link, PV_STR("rel"), &read);
			pv_buf_append_char(&read, ']');
		}
		is_text(pv_buf_str(&read), cases[i].read, "%s", cases[i].claim);
		pv_buf_finish(&read);
	}
}

static void test_relations(void)
{
	struct pv_reader reader = pv_reader_of(PV_STR(
	    "</a>; rel=\" Next  canonical\t prefetch \"; rel=prev, </b>"));
	struct pv_link_field link;
	pv_link_field_next(&reader, &link);
	ok(pv_link_field_has_rel(&link, PV_STR("next")) &&
		pv_link_field_has_rel(&link, PV_STR("canonical")) &&
		pv_link_field_has_rel(&link, PV_STR("prefetch")),
	    "a link may have several relations");
	ok(!pv_link_field_has_rel(&link, PV_STR("pre")) &&
		!pv_link_field_has_rel(&link, PV_STR("")),
	    "a part of one is none");
	ok(!pv_link_field_has_rel(&link, PV_STR("prev")),
	    "only the first rel counts");
	pv_link_field_next(&reader, &link);
	ok(!pv_link_field_has_rel(&link, PV_STR("next")),
	    "a link without rel has none");
}

/* A header of millions of pieces, as no server sends it and no ceiling would
 * let it through: what grows faster than its length does not end. */
static const struct {
	const char *claim;
	const char *start;
	const char *piece;
	unsigned times;
	const char *end;
	size_t links, next;
} long_ones[] = {
    {"a million links", "", "<a>;rel=next,", 1000000, "<b>", 1000001, 1000000},
    {"a million parameters", "<a>", ";x=y", 1000000, ";rel=next", 1, 1},
    {"without values", "<a>", ";", 20000000, "rel=next", 1, 1},
    {"in quotes", "<a>", ";x=\"<b>,;\"", 1000000, ";rel=next", 1, 1},
    {"a million relations", "<a>;rel=\"", "x ", 1000000, "next\"", 1, 1},
    {"20 MB of a value that never ends", "<a>;rel=next;x=\"", "\\\" <b>,",
	2000000, "", 1, 1},
    {"of a target", "<", "a", 20000000, ">;rel=next", 1, 1},
    {"of one that never ends", "", "<a", 10000000, "", 0, 0},
    {"of links that are none", "", "a;b=\"c\",", 2000000, "<a>;rel=next", 1, 1},
    {"of commas", "", ",", 20000000, "<a>", 1, 0},
    {"of spaces", "<a>", " ", 20000000, ";rel=next", 1, 1},
};

static void test_long_ones(void)
{
	struct pv_buf value;
	pv_buf_init(&value, 30000000);
	for (size_t i = 0; i < sizeof(long_ones) / sizeof(*long_ones); i++) {
		size_t links = 0, next = 0;
		struct pv_link_field link;
		pv_buf_clear(&value);
		pv_buf_append_text(&value, long_ones[i].start);
		for (unsigned j = 0; j < long_ones[i].times; j++)
			pv_buf_append_text(&value, long_ones[i].piece);
		pv_buf_append_text(&value, long_ones[i].end);
		struct pv_reader reader = pv_reader_of(pv_buf_str(&value));
		while (pv_link_field_next(&reader, &link)) {
			links++;
			next += pv_link_field_has_rel(&link, PV_STR("next"));
		}
		ok(links == long_ones[i].links && next == long_ones[i].next &&
			!value.is_full,
		    "%s (P5)", long_ones[i].claim);
	}
	pv_buf_finish(&value);
}

int main(void)
{
	test_reading();
	test_relations();
	test_long_ones();
	return tap_done();
}
