#include "parse/css.h"

#include "base/buf.h"
#include "tap.h"

/* The links of sheets, between bars. */
static const struct {
	const char *claim;
	struct pv_str sheet;
	const char *links;
} sheets[] = {
    {"a background", PV_STR("body { background: url(a.png) no-repeat }"),
	"a.png"},
    {"quotes of both kinds", PV_STR("a{b:url(\"x\")}a{b:url('y')}"), "x|y"},
    {"white space within", PV_STR("a{b:url(\t\n x \r\n)}a{b:url( \"y\" )}"),
	"x|y"},
    {"several in a value",
	PV_STR("@font-face { src: url(a.woff2) format(\"woff2\"), url(a.woff) "
	       "format('woff'), local(\"A\"); }"),
	"a.woff2|a.woff"},
    {"names in capitals", PV_STR("a{b:URL(x);c:Src('y')}@IMPORT 'z';"),
	"x|y|z"},
    {"names with escapes",
	PV_STR("a{b:\\75 rl(x);c:u\\52L(y)}@\\69mport \"z\";@imp\\6Frt 'w'"),
	"x|y|z|w"},
    {"an import", PV_STR("@import \"a.css\";@import 'b.css' screen;"),
	"a.css|b.css"},
    {"an import by url()",
	PV_STR("@import url(a.css);@import url( 'b.css' ) print;"
	       "@import/**/url(\"c.css\")"),
	"a.css|b.css|c.css"},
    {"an import by src()", PV_STR("@import src(\"a.css\") layer(x);"), "a.css"},
    {"only what an import begins with",
	PV_STR("@import \"a\" layer(b) supports(c: url(d)) \"e\" url(f);"),
	"a"},
    {"what else it may begin with is no link",
	PV_STR("@import screen url(a);@import (url(b));@import x(\"c\");"
	       "@import src(var(--x) \"d\");"),
	""},
    {"an import that comes too late, or in a block",
	PV_STR("a{} @import \"a\"; @media x { @import \"b\"; }"), "a|b"},
    {"an import without its semicolon",
	PV_STR("@import \"a\"\n@import \"b\"\nc{d:url(e)}"), "a|b|e"},
    {"a namespace is not asked for",
	PV_STR("@namespace url(http://a/);@namespace svg \"http://b/\";"
	       "@namespace c url('d'); e { f: url(g) }"),
	"g"},
    {"nor what a rule compares",
	PV_STR("@supports (background: url(a)) and (b: image-set(\"c\" 1x)) "
	       "{ d { e: url(f) } }"
	       "@-moz-document url(http://g/), url-prefix(\"\") { h { i: "
	       "url(j) } }"),
	"f|j"},
    {"blocks within blocks",
	PV_STR("@media print { a { b: url(c); & d { e: url(f) } g: url(h) } }"),
	"c|f|h"},
    {"an unknown rule", PV_STR("@x y url(a); @z { b: url(c) }"), "c"},
    {"a charset and strings are no links",
	PV_STR("@charset \"utf-8\"; a { content: \"b\"; c: 'url(d)' }"), ""},
    {"custom properties", PV_STR(":root { --a: url(b); --c: \"d\" }"), "b"},
    {"images to choose from",
	PV_STR(
	    "a { b: image-set(\"c\" 1x, 'd' 2x, url(e) 3x, url(\"f\") 4x) }"),
	"c|d|e|f"},
    {"under their old name, too",
	PV_STR(
	    "a { b: -webkit-image-set(\"c\" 1x); d: -moz-image-set(\"e\") }"),
	"c"},
    {"types of images are no links",
	PV_STR("a { b: image-set(\"c\" type(\"image/png\") 1x, \"d\" 2x) }"),
	"c|d"},
    {"strings in parentheses within them",
	PV_STR("a { b: image-set((\"c\"), \"d\"); e: \"f\" }"), "d"},
    {"one that never closes ends with its declaration",
	PV_STR("a { b: image-set(\"c\" 1x; d: \"e\" }"), "c"},
    {"src() is read like url()", PV_STR("a { b: src(\"c\"); d: src(e) }"), "c"},
    {"modifiers behind an address",
	PV_STR("a { b: url(\"c\" d e(\"f\")) \"g\" }"), "c"},
    {"other functions", PV_STR("a{b:urls(c);d:my-url(\"e\");f:attr(g url)}"),
	""},
    {"comments hide all", PV_STR("/* url(a) @import \"b\"; */a{b:/**/url(c)}"),
	"c"},
    {"even when they nearly end", PV_STR("/*/ url(a) * /**/a{b:url(c)}"), "c"},
    {"or never do", PV_STR("a{b:url(c)}/* d{e:url(f)}"), "c"},
    {"within url() there are none", PV_STR("a{b:url(/*c*/d)}"), "/*c*/d"},
    {"nor before its quote", PV_STR("a{b:url(/**/\"c\");d:url(e)}"), "e"},
    {"strings hide all",
	PV_STR("a { b: \"url(c) \\\" url(d) ' /*\"; e: url(f) }"), "f"},
    {"a string that breaks off is none, and hides no more",
	PV_STR("a { b: \"c url(d)\n e: url(f) }"), "f"},
    {"an import that breaks off leads nowhere",
	PV_STR("@import \"a\n;@import \"b\";"), "b"},
    {"a string goes on behind an escaped end of a line",
	PV_STR("a{b:\"\\\nurl(c)\\\r\nurl(d)\\\furl(e)\";f:url(g)}"), "g"},
    {"a link does as well", PV_STR("@import \"a\\\nb\";"), "a\\\nb"},
    {"a link with escapes",
	PV_STR("a{b:url(c\\)d\\20 e\\\"\\66g)}@import \"h\\\"i\";"),
	"c\\)d\\20 e\\\"\\66g|h\\\"i"},
    {"quotes and parentheses spoil a url()",
	PV_STR("a{b:url(c\"d\"e);f:url(g'h);i:url(j(k)) url(l)}"), "l"},
    {"so does space within it", PV_STR("a{b:url(c d);e:url(f)}"), "f"},
    {"and controls", PV_STR("a{b:url(c\x01);e:url(f\x7fg) url(h\0i)}"), "h"},
    {"and an escaped end of a line", PV_STR("a{b:url(c\\\nd) url(e)}"), "e"},
    {"a spoilt one ends at its parenthesis",
	PV_STR("a{b:url(c d\\) url(e); f) url(g)}"), "g"},
    {"a sheet can end in a url()", PV_STR("a{b:url(c"), "c"},
    {"or behind one", PV_STR("a{b:url(c  "), "c"},
    {"or before one", PV_STR("a{b:url( "), ""},
    {"or in a string", PV_STR("@import \"a"), "a"},
    {"or in an escape", PV_STR("@import \"a\\"), "a\\"},
    {"or in a name", PV_STR("@import url(a);b{c:ur\\"), "a"},
    {"an empty address leads nowhere",
	PV_STR("a{b:url();c:url( );d:url(\"\") url(' ') url('\\\n')}"
	       "@import \"\";"),
	""},
    {"nor does a fragment",
	PV_STR("a{b:url(#c);d:url(\"#e\") url(\\23 f) url(\\#g) url(h#i)}"),
	"h#i"},
    {"other schemes are left to who joins",
	PV_STR("a{b:url(data:image/png;base64,AA==)}"),
	"data:image/png;base64,AA=="},
    {"what looks like a name is part of a number",
	PV_STR("a{b:1url(c) 2.5url(d) -3url(e) .4url(f) 5e6url(g)}"), ""},
    {"or of a hash, or of a rule's name",
	PV_STR("#url(a) #-url(b) @url(c); d{e:url(f)}"), "f"},
    {"or goes on", PV_STR("a{b:-url(c) --url(d) _url(e) \303\251url(f)}"), ""},
    {"but not of a sign", PV_STR("a{b:+url(c) .url(d) %url(e) 9%url(f)}"),
	"c|d|e|f"},
    {"nor of what encloses a sheet in old pages",
	PV_STR("<!--url(a)--><!-- b{c:url(d)} -->"), "a|d"},
    {"a space makes it no function", PV_STR("a{b:url (c);d:url/**/(e)}"), ""},
    {"brackets that do not match", PV_STR("))]}}a{b:[(url(c)}d{e:url(f)"),
	"c|f"},
    {"what old browsers were told",
	PV_STR("a{*b:url(c);_d:url(e);f:url(g)\\9}"), "c|e|g"},
    {"and is no address anywhere else",
	PV_STR("a{filter:progid:DX.Loader(src='b');c:expression(url(d))}"),
	"d"},
    {"a mark before it", PV_STR("\xef\xbb\xbf@import \"a\";"), "a"},
    {"nothing", PV_STR(""), ""},
};

static void write_links(
    struct pv_buf *buf, struct pv_str sheet, const char *label)
{
	struct pv_css css;
	struct pv_str address;
	pv_css_init(&css, sheet, pv_encoding_find(pv_str_of(label)));
	pv_buf_clear(buf);
	while (pv_css_next(&css, &address)) {
		pv_buf_append_text(buf, buf->len ? "|" : "");
		/* a NUL would end what is shown */
		size_t nul = pv_str_find(address, '\0');
		if (nul != PV_NOT_FOUND)
			address.len = nul;
		pv_buf_append(buf, address);
	}
}

/* Sheets in which the second half of a character looks like ASCII. */
static const struct {
	const char *claim;
	const char *label;
	struct pv_str sheet;
	const char *links;
} encoded[] = {
    {"half a character is no escape", "shift_jis",
	PV_STR("a{b:url(\x95\x5c);c:\"\x83\x5c\" url(d)}"), "\x95\x5c|d"},
    {"whole ones of one byte may stand before one", "shift_jis",
	PV_STR("a{b:url(\xb6\\)c)}"), "\xb6\\)c"},
    {"the same in Chinese", "gbk", PV_STR("a{b:url(\x81\x5c) url(c)}"),
	"\x81\x5c|c"},
    {"of either kind", "big5", PV_STR("@import \"\xb3\x5c\";a{b:url(c)}"),
	"\xb3\x5c|c"},
    {"and with four bytes", "gb18030",
	PV_STR("a{b:url(\x81\x30\x81\x30) url(\x81\x7d)}"),
	"\x81\x30\x81\x30|\x81\x7d"},
    {"an escaped character is escaped whole", "gbk",
	PV_STR("a{b:url(\\\x81\x5c)}"), "\\\x81\x5c"},
    {"what is no half stands for itself", "shift_jis",
	PV_STR("a{b:url(c\x95) url(\"d\x81\") url(e\x81"), "c\x95|d\x81|e\x81"},
    {"elsewhere a backslash is one", "utf-8", PV_STR("a{b:url(\xc3\x95\\)c)}"),
	"\xc3\x95\\)c"},
};

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

static void write_style_links(struct pv_buf *buf, const char *text)
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

static void test_style(void)
{
	struct pv_buf buf;
	struct pv_style style;
	struct pv_str address;
	pv_buf_init(&buf, 1000);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		pv_buf_clear(&buf);
		write_style_links(&buf, values[i].value);
		is_text(
		    pv_buf_str(&buf), values[i].links, "%s", values[i].claim);
	}
	pv_buf_finish(&buf);
	pv_buf_init(&buf, 10);
	pv_style_init(&style, PV_STR("url(a) url(&amp;)"), NULL, &buf);
	ok(buf.is_full && !pv_style_next(&style, &address),
	    "P5: one whose references do not fit has none");
	pv_buf_finish(&buf);
}

int main(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	for (size_t i = 0; i < sizeof(sheets) / sizeof(*sheets); i++) {
		write_links(&buf, sheets[i].sheet, "");
		is_text(
		    pv_buf_str(&buf), sheets[i].links, "%s", sheets[i].claim);
	}
	for (size_t i = 0; i < sizeof(encoded) / sizeof(*encoded); i++) {
		write_links(&buf, encoded[i].sheet, encoded[i].label);
		is_text(
		    pv_buf_str(&buf), encoded[i].links, "%s", encoded[i].claim);
	}
	pv_buf_finish(&buf);
	test_style();
	return tap_done();
}
