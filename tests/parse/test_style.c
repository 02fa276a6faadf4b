#include "parse/style.h"

#include "tap.h"

/* The links of style attributes as they stand there, between bars, and where
 * in the attribute each of them does. */
static const struct {
	const char *claim;
	const char *value;
	const char *links;
} values[] = {
    {"a style without links", "color: red", ""},
    {"one with them", "a: url(b); c: url('d')", "b@7|d@19"},
    {"references are quotes", "a:url(&quot;b&quot;),url(&#39;c&#x27;)",
	"b@12|c@30"},
    {"and parentheses, letters, escapes",
	"a:&#117;rl&lpar;b&rpar; url(c&#92;)d)", "b@16|c&#92;)d@28"},
    {"and stay in what they are part of",
	"a:url(b&amp;c) url(&quot;&eacute;&amp&quot;)",
	"b&amp;c@6|&eacute;&amp@25"},
    {"what is none is itself", "a:url(b&c=d&;) url(&)", "b&c=d&;@6|&@19"},
    {"a reference that is two characters is at one place",
	"a:url(&bne;) url(b)", "&bne;@6|b@17"},
    {"a style can end anywhere", "a:&amp; url(b", "b@12"},
    {"or in a reference", "a:url(b&amp", "b&amp@6"},
    {"at-rules are read, too", "@import &quot;a&quot;;", "a@14"},
};

static void write_links(struct pv_buf *buf, const char *text)
{
	struct pv_str value = pv_str_of(text), address;
	struct pv_buf scratch;
	struct pv_style style;
	pv_buf_init(&scratch, value.len);
	pv_style_init(&style, value, NULL, &scratch);
	while (pv_style_next(&style, &address))
		pv_buf_append_format(buf, "%s%.*s@%zu", buf->len ? "|" : "",
		    PV_STR_ARG(address), (size_t)(address.ptr - value.ptr));
	pv_buf_finish(&scratch);
}

int main(void)
{
	struct pv_buf buf;
	struct pv_style style;
	struct pv_str address;
	pv_buf_init(&buf, 1000);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		pv_buf_clear(&buf);
		write_links(&buf, values[i].value);
		is_text(
		    pv_buf_str(&buf), values[i].links, "%s", values[i].claim);
	}
	pv_buf_finish(&buf);
	pv_buf_init(&buf, 10);
	pv_style_init(&style, PV_STR("url(a) url(&amp;)"), NULL, &buf);
	ok(buf.is_full && !pv_style_next(&style, &address),
	    "P5: one whose references do not fit has none");
	pv_buf_finish(&buf);
	return tap_done();
}
