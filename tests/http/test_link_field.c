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

int main(void)
{
	test_reading();
	test_relations();
	return tap_done();
}
