#include "parse/tokenizer.h"

#include "base/buf.h"
#include "tap.h"

/* Pages, and the tags that are found in them: each with its attributes,
 * "a href=x|img src=y", those of drawings as "svg:a". */
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

    {"a link in a drawing", PV_STR("<svg><a href=x></a></svg>"),
	"svg:a href=x"},
    {"what is in an image, and an image, in one",
	PV_STR("<svg><image href=x /><feImage xlink:href=y /><use href=z>"),
	"svg:image href=x|svg:feimage xlink:href=y|svg:use href=z"},
    {"but no element of HTML",
	PV_STR("<svg><link href=x><iframe src=x></svg><a>"), "a"},
    {"where a script ends itself",
	PV_STR("<svg><script/><style/><title/><a></svg><script><b></script>"
	       "<img>"),
	"svg:script|svg:style|svg:a|script|img"},
    {"and what is in it is markup",
	PV_STR("<svg><script>1<2<a></a></script><style><a></style>"),
	"svg:script|svg:a|svg:style|svg:a"},
    {"and so is a title", PV_STR("<svg><title><a></title><title/><a>"),
	"a|svg:a"},
    {"and CDATA is text",
	PV_STR("<svg><![CDATA[<a> > ]] > ]><a>]]><a></svg><img>"), "svg:a|img"},
    {"which may never end", PV_STR("<svg><a><![CDATA[<a> ]>"), "svg:a"},
    {"HTML begins again in it",
	PV_STR("<svg><foreignObject><script><a></script><img></foreignObject>"
	       "<script/><a></svg>"),
	"script|img|svg:script|svg:a"},
    {"and its titles are none of the drawing's",
	PV_STR("<svg><title><title></title><script><a></script></title>"
	       "<script/><a></svg>"),
	"title|script|svg:script|svg:a"},
    {"a paragraph ends a drawing", PV_STR("<svg><g><p><script><a>"), "script"},
    {"so does the end of one", PV_STR("<svg><g></p><script><a>"), "script"},
    {"a font that has a colour ends it as well",
	PV_STR("<svg><g><font x Color=y><script><a>"), "script"},
    {"and no other one", PV_STR("<svg><font x=color><script><a>"),
	"svg:script|svg:a"},
    {"a drawing that ends itself", PV_STR("<svg/><script><a>"), "script"},
    {"a drawing in a drawing",
	PV_STR("<svg><svg></svg><script/><a></svg><script><a>"),
	"svg:script|svg:a|script"},
    {"so does the end of what it stands in",
	PV_STR("<div><svg><g></div><script><a>"), "script"},
    {"HTML begins again where a formula has text, not in drawings",
	PV_STR("<svg><mtext><script/><a></svg><math><desc><script/></math>"
	       "<img>"),
	"svg:script|svg:a|img"},
    {"a formula has no links", PV_STR("<math><a href=x></math><img>"), "img"},
    {"a formula in a drawing is none",
	PV_STR("<svg><math><mi><script/></mi></math><a></svg><img>"),
	"svg:script|svg:a|img"},
    {"a formula", PV_STR("<math><mi>x</mi><annotation><script/></math><a>"),
	"a"},
    {"text in a formula",
	PV_STR("<math><mtext><script><a></script></mtext><script/></math>"
	       "<img>"),
	"script|img"},

    {"a drawing in an annotation",
	PV_STR("<math><annotation-xml><svg><a></svg><script></annotation-xml>"
	       "<script></math><script><a>"),
	"svg:a|script"},
    {"HTML in an annotation that says so",
	PV_STR("<math><annotation-xml encoding='text/HTML'><script><a></script>"
	       "</annotation-xml><annotation-xml "
	       "encoding=application/xhtml&#43;xml><img></math><a>"),
	"script|img|a"},
    {"and no other one",
	PV_STR("<math><annotation-xml encoding=text/htm><a></annotation-xml>"
	       "<annotation-xml x=text/html><a></math><img>"),
	"img"},
    {"until a tag of HTML comes, CDATA is text still",
	PV_STR("<math><mi><![CDATA[<a>]]><b><![CDATA[><img></mi></math><a>"),
	"img|a"},
    {"a drawing within it is none",
	PV_STR("<svg><desc><svg></svg><![CDATA[<a>]]><p><svg></svg><![CDATA[>"
	       "<img></desc><a>"),
	"img|svg:a"},
    {"a template is no part of the page",
	PV_STR("<template><a><link></template><img>"), "img"},
    {"nor is one within it",
	PV_STR("<template><template><a></template><a></TEMPLATE ><img>"),
	"img"},
    {"nor one that never ends", PV_STR("<a><template><p></div><a>"), "a"},
    {"text in it is text",
	PV_STR("<template><script></template></script><!-- </template> -->"
	       "<textarea></template></textarea><a></template><img>"),
	"img"},
    {"what ends it ends what is in it",
	PV_STR("<template><svg><g></template><script><a></script><img>"),
	"script|img"},
    {"but not what it is in",
	PV_STR("<svg><desc><template><svg></template><a></desc><a>"),
	"a|svg:a"},
    {"one that is shown at once is part of it",
	PV_STR("<template shadowrootmode=Open><a></template><img>"), "a|img"},
    {"closed, too", PV_STR("<template x shadowrootmode='closed'><a>"), "a"},
    {"unless it is in one that is not",
	PV_STR("<template><template shadowrootmode=open><a></template><a>"
	       "</template><img>"),
	"img"},
    {"or it is shown in another way",
	PV_STR("<template shadowrootmode=y><a></template><img>"), "img"},
    {"one that is not shown may be in it",
	PV_STR("<template shadowrootmode=open><template><a></template><img>"
	       "</template><a>"),
	"img|a"},
    {"an end tag without a template", PV_STR("</template><a>"), "a"},
    {"a template that the page cuts", PV_STR("<a><template shadow"), "a"},

    {"a style that may name something",
	PV_STR("<p style='x:url(y)'><b id=z STYLE=(>"),
	"p style=x:url(y)|b id=z STYLE=("},
    {"be it by references", PV_STR("<p style='x:url&lpar;y)'>"),
	"p style=x:url&lpar;y)"},
    {"one that may not", PV_STR("<p style='x:y'><p style><p styles='('>"), ""},
    {"in drawings and formulas as well",
	PV_STR("<svg style='()'><g style='()'></svg><math style='()'>"
	       "<mi style='()'>"),
	"svg style=()|g style=()|math style=()|mi style=()"},
    {"which they open all the same",
	PV_STR("<svg style='()'><script/><a></svg><script><a></script>"),
	"svg style=()|svg:script|svg:a|script"},
    {"and which may hold HTML", PV_STR("<svg><foreignObject style='()'><link>"),
	"foreignobject style=()|link"},
    {"a background", PV_STR("<td width=1><td background=x><p background=y>"),
	"td background=x|p background=y"},
    {"a plain tag that the page cuts", PV_STR("<a><p style='()' "), "a"},
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
		if (tokenizer.element >= PV_ELEMENT_DRAWING_A &&
		    tokenizer.element < PV_ELEMENT_OTHER)
			pv_buf_append_text(buf, "svg:");
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

/* The content of each style element, between bars, with "&" behind it where
 * references in it are to be read. */
static const struct {
	const char *claim;
	struct pv_str page;
	const char *contents;
} styles[] = {
    {"the content of a style", PV_STR("<style>a&amp;b<c></style>"),
	"a&amp;b<c>"},
    {"of one that never ends", PV_STR("<style x=y>a</styl"), "a</styl"},
    {"of one that seems to end itself", PV_STR("<style/>a</style>"), "a"},
    {"of one in a drawing", PV_STR("<svg><style>a&amp;b</style>"), "a&amp;b&"},
    {"up to its first tag", PV_STR("<svg><style>a<b>c</style>"), "a&"},
    {"that ends itself", PV_STR("<svg><style/>a"), ""},
    {"as CDATA", PV_STR("<svg><style>\n<![CDATA[a&<b>]]></style>"), "a&<b>]]>"},
    {"which never ends", PV_STR("<svg><style><![CDATA[a]>"), "a]>"},
    {"none has that of another",
	PV_STR("<style>a</style><svg><style></style></svg><style>b</style>"),
	"a|&|b"},
};

static void check_content(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 100);
	for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++) {
		struct pv_tokenizer tokenizer;
		struct pv_attribute attribute;
		pv_buf_clear(&buf);
		pv_tokenizer_init(&tokenizer, styles[i].page);
		while (pv_tokenizer_next(&tokenizer)) {
			while (pv_tokenizer_attribute(&tokenizer, &attribute))
				continue;
			pv_buf_append_text(&buf, buf.len ? "|" : "");
			pv_buf_append(&buf, tokenizer.content);
			if (tokenizer.has_references)
				pv_buf_append_char(&buf, '&');
		}
		is_text(pv_buf_str(&buf), styles[i].contents, "%s",
		    styles[i].claim);
	}
	pv_buf_finish(&buf);
}

static void check_elements(void)
{
	static const char *const others[] = {
	    "", "span", "\xff", "titl", "xmps", "feimages"};
	static const char *const names[] = {"a", "area", "audio", "base",
	    "blockquote", "body", "button", "del", "embed", "form", "frame",
	    "iframe", "image", "img", "input", "ins", "link", "math", "meta",
	    "noembed", "noframes", "object", "plaintext", "q", "script",
	    "source", "style", "svg", "table", "tbody", "td", "template",
	    "textarea", "tfoot", "th", "thead", "title", "tr", "track", "video",
	    "xmp"};
	static const char *const drawn[] = {
	    "a", "feImage", "image", "script", "style", "use"};
	size_t count = sizeof(names) / sizeof(*names), found = 0;
	size_t drawings = sizeof(drawn) / sizeof(*drawn);
	for (size_t i = 0; i < count; i++)
		found += pv_element_find(pv_str_of(names[i])) == i + 1;
	for (size_t i = 0; i < drawings; i++)
		found += pv_element_find_in_drawing(pv_str_of(drawn[i])) ==
			 PV_ELEMENT_DRAWING_A + i;
	ok(found == count + drawings && found == PV_ELEMENT_OTHER - 2,
	    "each element is found by its name");
	found = 0;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct pv_str name = pv_str_of(others[i]);
		found += pv_element_find(name) != PV_ELEMENT_OTHER;
		found += pv_element_find_in_drawing(name) != PV_ELEMENT_OTHER;
	}
	ok(!found, "and nothing else is");
}

int main(void)
{
	check_pages();
	check_skipping();
	check_places();
	check_content();
	check_elements();
	return tap_done();
}
