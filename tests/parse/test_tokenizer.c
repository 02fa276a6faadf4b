#include "parse/tokenizer.h"

#include "base/buf.h"
#include "tap.h"

/* Pages, and the tags that are found in them: each with its attributes,
 * "a href=x|img src=y". */
static const struct {
	const char *claim;
	struct pv_str page;
	const char *tags;
} pages[] = {
    {"a tag", PV_STR("<a href=\"x\">"), "a href=x"},
    {"names in capitals", PV_STR("<A HREF=x>"), "a HREF=x"},
    {"single quotes hold double ones", PV_STR("<a href='x\"y'>"),
	"a href=x\"y"},
    {"a value without quotes ends at a space", PV_STR("<a href=x rel=y>"),
	"a href=x rel=y"},
    {"and keeps its slash", PV_STR("<a href=x/>"), "a href=x/"},
    {"and what else may not stand there", PV_STR("<a href=x\"'<=`y>"),
	"a href=x\"'<=`y"},
    {"white space around the equals sign", PV_STR("<a href \n=\t\f\r'x'>"),
	"a href=x"},
    {"attributes without space between", PV_STR("<a href='x'rel=\"y\"z>"),
	"a href=x rel=y z="},
    {"an attribute without a value", PV_STR("<a hidden href=x>"),
	"a hidden= href=x"},
    {"a missing value", PV_STR("<a href=><img src=y>"), "a href=|img src=y"},
    {"an empty value", PV_STR("<a href=\"\" rel=''>"), "a href= rel="},
    {"slashes between attributes", PV_STR("<a/href=x/ /rel=y//>"),
	"a href=x/ rel=y//"},
    {"an equals sign can begin a name", PV_STR("<a =x href=y>"),
	"a =x= href=y"},
    {"and a value", PV_STR("<a href==y>"), "a href==y"},
    {"a quote can be part of a name", PV_STR("<a \"x>y\" href=z>"), "a \"x="},
    {"a quoted > ends nothing", PV_STR("<a title='>' href=x>"),
	"a title=> href=x"},
    {"a < in a tag ends nothing", PV_STR("<a <img src=x>"), "a <img= src=x"},
    {"values hold line ends", PV_STR("<a href='x\ny'>"), "a href=x\ny"},
    {"the same attribute twice", PV_STR("<a href=x HREF=y>"),
	"a href=x HREF=y"},
    {"a longer name is another element",
	PV_STR("<ab href=x><a-b href=x><imgs src=x><i src=x>"), ""},
    {"a name may end at a slash or a line end",
	PV_STR("<a/ href=x><img\nsrc=y>"), "a href=x|img src=y"},
    {"names hold NULs and are then others", PV_STR("<a\0 href=x><a hr\0ef=y>"),
	"a hr0ef=y"},
    {"no tag without a letter",
	PV_STR("< a href=x>1<2<>a<\0a href=y><=a href=z><a>"), "a"},
    {"a tag behind a stray <", PV_STR("<<a href=x>"), "a href=x"},
    {"end tags are none of ours", PV_STR("</a href=x><a></a>"), "a"},
    {"an end tag's quotes count, too", PV_STR("</b x='<a href=y>'><a>"), "a"},
    {"a nameless end tag is nothing", PV_STR("</><a>"), "a"},
    {"an end tag without a letter is a comment", PV_STR("</ x='<a href=y'><a>"),
	"a"},
    {"a page can end in a tag", PV_STR("<a><a href=x"), "a|cut"},
    {"or in a value", PV_STR("<a><a href='x"), "a|cut"},
    {"or in a name", PV_STR("<a><a hr"), "a|cut"},
    {"or before one", PV_STR("<a><a "), "a|cut"},
    {"or behind an equals sign", PV_STR("<a><a href="), "a|cut"},
    {"or in a tag's name", PV_STR("<a><im"), "a"},
    {"or with a <", PV_STR("<a><"), "a"},
    {"or with </", PV_STR("<a></"), "a"},
    {"or with <!", PV_STR("<a><!"), "a"},

    {"comments", PV_STR("<!-- <a href=x> --><a>"), "a"},
    {"an empty comment", PV_STR("<!----><a>"), "a"},
    {"a comment that ends at once", PV_STR("<!--><a>--><img>"), "a|img"},
    {"or nearly", PV_STR("<!---><a>--><img>"), "a|img"},
    {"a comment that ends in --!>", PV_STR("<!-- --!><a>-->"), "a"},
    {"but not at once", PV_STR("<!--!><a>--><img>"), "img"},
    {"nor nearly", PV_STR("<!---!><a>--><img>"), "img"},
    {"more dashes", PV_STR("<!---- ----><a>"), "a"},
    {"dashes and > apart", PV_STR("<!-- -- > <a> --><img>"), "img"},
    {"a comment in a comment", PV_STR("<!-- <!-- --><a> -->"), "a"},
    {"its beginning can be the end", PV_STR("<!-- <!--><a>"), "a"},
    {"a comment that never ends", PV_STR("<a><!-- <img>"), "a"},
    {"not even with its last bytes", PV_STR("<a><!-- <img>--"), "a"},
    {"a declaration ends at the first >",
	PV_STR("<!doctype html \"<a>\"><!doctype x '>'><img>"), "img"},
    {"a processing instruction as well", PV_STR("<?php '<a>' ?><img>"), "img"},
    {"CDATA in HTML is such a comment",
	PV_STR("<![CDATA[ <a> ]]><![CDATA[<b><img>]]>"), "img"},

    {"no tags in a script", PV_STR("<script>'<a>'</script><img>"),
	"script|img"},
    {"a script's own attributes", PV_STR("<script src=x></script>"),
	"script src=x"},
    {"a script does not end itself", PV_STR("<script/><a></script><img>"),
	"script|img"},
    {"its end tag may have attributes",
	PV_STR("<script></script x='<a>'><img>"), "script|img"},
    {"and capitals", PV_STR("<SCRIPT><a></sCRIPT\n><img>"), "script|img"},
    {"a longer name ends nothing",
	PV_STR("<script></scripts><a></script-><a></script><img>"),
	"script|img"},
    {"nor does a shorter", PV_STR("<script></scrip><a></script><img>"),
	"script|img"},
    {"nor one that the page cuts", PV_STR("<script><a></script"), "script"},
    {"an old script hides in a comment",
	PV_STR("<script><!-- <a> //--></script><img>"), "script|img"},
    {"from which its end tag frees it",
	PV_STR("<script><!-- <a></script><img>-->"), "script|img"},
    {"but not if a script begins there",
	PV_STR("<script><!-- <script><a></script><a></script><img>"),
	"script|img"},
    {"which must be one",
	PV_STR("<script><!-- <scripts><a></script><img></script>"),
	"script|img"},
    {"and may end in the same way",
	PV_STR("<script><!-- <script></script <script/></script><a>"
	       "</script><img>"),
	"script|img"},
    {"or with the comment", PV_STR("<script><!-- <script> --></script><img>"),
	"script|img"},
    {"which ends at once, too", PV_STR("<script><!--> <script></script><img>"),
	"script|img"},
    {"and never with --!>",
	PV_STR("<script><!-- <script> --!></script><a></script><img>"),
	"script|img"},
    {"or with dashes that stand apart",
	PV_STR("<script><!-- <script> -- ></script><a></script><img>"),
	"script|img"},
    {"without a comment a script in a script is text",
	PV_STR("<script><script></script><img>"), "script|img"},
    {"a script that never ends", PV_STR("<script><a>"), "script"},
    {"not even behind a comment", PV_STR("<script><!-- <script>--<a>"),
	"script"},

    {"no tags in a title", PV_STR("<title><a></title><img>"), "title|img"},
    {"nor in a text area", PV_STR("<textarea><!-- </textarea><img>"),
	"textarea|img"},
    {"nor in a style", PV_STR("<style><a><!--</style><img>"), "style|img"},
    {"nor in the likes of xmp",
	PV_STR("<xmp><a></xmp><noembed><a></noembed>"
	       "<noframes><a></noframes><iframe src=x><a></iframe><img>"),
	"xmp|noembed|noframes|iframe src=x|img"},
    {"one does not end the other", PV_STR("<xmp></title><a></xmp><img>"),
	"xmp|img"},
    {"noscript is markup", PV_STR("<noscript><a></noscript>"), "a"},
    {"nothing follows plaintext", PV_STR("<plaintext><a></plaintext><img>"),
	"plaintext"},

    {"a link in a drawing", PV_STR("<svg><a href=x></a></svg>"), "a href=x"},
    {"but no other element of HTML",
	PV_STR("<svg><link href=x><script src=x></script>"
	       "<iframe src=x></svg><a>"),
	"a"},
    {"where a script ends itself",
	PV_STR("<svg><script/><style/><title/><a></svg><script><b></script>"
	       "<img>"),
	"a|script|img"},
    {"and a title is markup", PV_STR("<svg><title><a></title><title/><a>"),
	"a|a"},
    {"and CDATA is text",
	PV_STR("<svg><![CDATA[<a> > ]] > ]>]]><a></svg><img>"), "a|img"},
    {"which may never end", PV_STR("<svg><a><![CDATA[<a> ]>"), "a"},
    {"HTML begins again in it",
	PV_STR("<svg><foreignObject><script><a></script><img></foreignObject>"
	       "<script/><a></svg>"),
	"script|img|a"},
    {"a paragraph ends a drawing", PV_STR("<svg><g><p><script><a>"), "script"},
    {"so does the end of one", PV_STR("<svg><g></p><script><a>"), "script"},
    {"a drawing that ends itself", PV_STR("<svg/><script><a>"), "script"},
    {"a drawing in a drawing",
	PV_STR("<svg><svg></svg><script/><a></svg><script><a>"), "a|script"},
    {"so does the end of what it stands in",
	PV_STR("<div><svg><g></div><script><a>"), "script"},
    {"HTML begins again where a formula has text, not in drawings",
	PV_STR("<svg><mtext><script/><a></svg><math><desc><script/></math>"
	       "<img>"),
	"a|img"},
    {"a formula has no links", PV_STR("<math><a href=x></math><img>"), "img"},
    {"a formula in a drawing is none",
	PV_STR("<svg><math><mi><script/></mi></math><a></svg><img>"), "a|img"},
    {"a formula", PV_STR("<math><mi>x</mi><annotation><script/></math><a>"),
	"a"},
    {"text in a formula",
	PV_STR("<math><mtext><script><a></script></mtext><script/></math>"
	       "<img>"),
	"script|img"},
};

static void write_tags(struct pv_str page, struct pv_buf *buf)
{
	struct pv_tokenizer tokenizer;
	struct pv_attribute attribute;
	pv_tokenizer_init(&tokenizer, page);
	while (pv_tokenizer_next(&tokenizer)) {
		size_t start = buf->len;
		pv_buf_append_text(buf, start ? "|" : "");
		size_t name = buf->len;
		pv_buf_append(buf, tokenizer.name);
		for (size_t i = name; i < buf->len; i++)
			buf->ptr[i] |= 0x20;
		while (pv_tokenizer_attribute(&tokenizer, &attribute)) {
			pv_buf_append_char(buf, ' ');
			pv_buf_append(buf, attribute.name);
			pv_buf_append_char(buf, '=');
			pv_buf_append(buf, attribute.value);
		}
		if (!tokenizer.is_cut)
			continue;
		pv_buf_cut(buf, start);
		pv_buf_append_text(buf, "|cut");
	}
}

static void check_pages(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		pv_buf_clear(&buf);
		write_tags(pages[i].page, &buf);
		for (size_t j = 0; j < buf.len; j++) {
			if (!buf.ptr[j])
				buf.ptr[j] = '0';
		}
		is_text(pv_buf_str(&buf), pages[i].tags, "%s", pages[i].claim);
	}
	pv_buf_finish(&buf);
}

/* Whoever does not ask for attributes finds the same tags. */
static void check_skipping(void)
{
	struct pv_tokenizer tokenizer;
	struct pv_str page = PV_STR("<a x='<img>' y><script src='>'><a></script"
				    "><img alt=\"</\"><meta>");
	pv_tokenizer_init(&tokenizer, page);
	ok(pv_tokenizer_next(&tokenizer) == PV_ELEMENT_A &&
		pv_tokenizer_next(&tokenizer) == PV_ELEMENT_SCRIPT &&
		pv_tokenizer_next(&tokenizer) == PV_ELEMENT_IMG &&
		pv_tokenizer_next(&tokenizer) == PV_ELEMENT_META &&
		pv_tokenizer_next(&tokenizer) == PV_ELEMENT_NONE &&
		pv_tokenizer_next(&tokenizer) == PV_ELEMENT_NONE,
	    "attributes that nobody asks for are passed over");
}

static void check_places(void)
{
	struct pv_tokenizer tokenizer;
	struct pv_attribute attribute;
	struct pv_str page = PV_STR("<p><a id=b href = \"x&amp;y\">");
	pv_tokenizer_init(&tokenizer, page);
	pv_tokenizer_next(&tokenizer);
	pv_tokenizer_attribute(&tokenizer, &attribute);
	pv_tokenizer_attribute(&tokenizer, &attribute);
	ok(attribute.value.ptr - page.ptr == 19 && attribute.value.len == 7,
	    "a value is known by its place, without its quotes");
}

static void check_elements(void)
{
	static const char *const names[] = {"a", "area", "base", "frame",
	    "iframe", "image", "img", "link", "math", "meta", "noembed",
	    "noframes", "plaintext", "script", "source", "style", "svg",
	    "textarea", "title", "xmp"};
	size_t count = sizeof(names) / sizeof(*names), found = 0;
	for (size_t i = 0; i < count; i++)
		found += pv_element_find(pv_str_of(names[i])) == i + 1;
	ok(found == count, "each element is found by its name");
	ok(!pv_element_find(PV_STR("")) && !pv_element_find(PV_STR("span")) &&
		!pv_element_find(PV_STR("\xff")) &&
		!pv_element_find(PV_STR("titl")),
	    "and nothing else is");
}

int main(void)
{
	check_pages();
	check_skipping();
	check_places();
	check_elements();
	return tap_done();
}
