#include "parse/joiner.h"

#include "tap.h"

#define ADDRESS "https://docs.example.org/a/page.html?q"
#define ADDRESS_LEN_MAX 2000

/* The links of pages at ADDRESS, one a line: p(age) or r(esource), a for one
 * that is fetched ahead as a page, n where we are asked not to follow, and the
 * address or what is wrong with it. */
static const struct {
	const char *claim;
	const char *charset;
	struct pv_str page;
	const char *links;
} pages[] = {
    {"places that lead to pages", "",
	PV_STR("<a href=1><area href=2><iframe src=3></iframe><frame src=4>"),
	"p /a/1\np /a/2\np /a/3\np /a/4\n"},
    {"and to resources", "",
	PV_STR(
	    "<link rel=x href=1><img src=2><script src=3></script><source src=4 "
	    "srcset=5><image src=6>"),
	"r /a/1\nr /a/2\nr /a/3\nr /a/4\nr /a/5\nr /a/6\n"},
    {"what a rel makes of a link", "",
	PV_STR("<link href=1 rel=canonical><link rel='x ALTERNATE' href=2>"
	       "<link rel=next href=3><link rel=prev href=4>"
	       "<link rel=icon href=5><link rel='alternate stylesheet' "
	       "href=6>"),
	"p /a/1\np /a/2\np /a/3\np /a/4\nr /a/5\nr /a/6\n"},
    {"what a link offers as another dress, or icon, is a part", "",
	PV_STR("<link rel='alternate icon' href=1><link rel='apple-touch-icon "
	       "next' href=2>"),
	"r /a/1\np /a/2\n"},
    {"other links are to resources", "",
	PV_STR("<link rel=manifest href=1><link rel=preload href=2>"
	       "<link rel=modulepreload href=3><link rel=search href=4>"),
	"r /a/1\nr /a/2\nr /a/3\nr /a/4\n"},
    {"a page that is fetched ahead is told among them", "",
	PV_STR("<link rel=prefetch href=1><link rel=prerender href=2>"
	       "<link as=style rel=prefetch href=3><link rel=preload "
	       "href=4 as=document><link rel=prefetch href=5.js>"),
	"ra /a/1\nra /a/2\nr /a/3\nra /a/4\nr /a/5.js\n"},
    {"a link without a rel is none", "",
	PV_STR("<link href=1><link rel href=2><link rel=' ' href=3>"
	       "<link itemprop=url href=4><link imagesrcset='5 1x'>"
	       "<a rel href=6>"),
	"p /a/6\n"},
    {"but for those that only name a host", "",
	PV_STR("<link rel=preconnect href=1><link href=2 rel='DNS-prefetch "
	       "preconnect'><link rel=pingback href=3>"
	       "<link rel='preconnect stylesheet' href=4>"),
	"r /a/4\n"},
    {"a link's images", "",
	PV_STR("<link rel=preload imagesrcset='1 1x, 2 2x' href=3>"
	       "<link rel=alternate imagesrcset=4 href=5>"),
	"r /a/1\nr /a/2\nr /a/3\nr /a/4\np /a/5\n"},
    {"a page within the page", "",
	PV_STR("<iframe srcdoc='<a href=1><img src=\"2\" srcset=3><style>a{b:"
	       "url(4)}</style><p style=a:url(5)>' src=6></iframe><a href=7>"),
	"p /a/1\nr /a/2\nr /a/3\nr /a/4\nr /a/5\np /a/6\np /a/7\n"},
    {"whose references are read before its own", "",
	PV_STR("<iframe srcdoc=\"&lt;a href=&quot;1?a&amp;amp;b&quot;>"
	       "<a href='2?a&amp;b'><a href=&#51;><style>@import &quot;4?&amp;"
	       "amp;&quot;</style><p style='a:url(&amp;quot;5&amp;#92;29 "
	       "&amp;quot;)'>\">"),
	"p /a/1?a&b\np /a/2?a&b\np /a/3\nr /a/4?&amp;\nr /a/5)\n"},
    {"which says nothing of that around it, and holds no other", "",
	PV_STR("<iframe srcdoc='<meta name=robots content=nofollow><a href=>"
	       "<iframe srcdoc=&quot;<a href=1>&quot;></iframe><a href=2>'>"
	       "</iframe><iframe srcdoc='<a href=3><base href=/b/>'></iframe>"
	       "<a href=4>"),
	"p /a/2\np /a/4\n"},
    {"and is in UTF-8 whatever that is in", "windows-1251",
	PV_STR("<iframe srcdoc='<a href=\"1?\xe6\"><a href=2?&amp;eacute;><a "
	       "href=3?&eacute;>'></iframe><a href=4?\xe6>"),
	"p /a/1?%D0%B6\np /a/2?%C3%A9\np /a/3?%C3%A9\np /a/4?%E6\n"},
    {"and is relative to the base of that", "",
	PV_STR("<iframe srcdoc='<a href=1>'></iframe><base href=/b/>"),
	"p /b/1\n"},
    {"what is only mentioned is none of them", "",
	PV_STR("<q cite=1><blockquote cite=2 style='a:url(3)'><del cite=4>"
	       "<ins cite=5><img longdesc=6 src=7><iframe longdesc=8>"),
	"r /a/3\nr /a/7\n"},
    {"sounds and films", "",
	PV_STR("<audio src=1><source src=2></audio><video poster=3 src=4>"
	       "<track src=5></video>"),
	"r /a/1\nr /a/2\nr /a/3\nr /a/4\nr /a/5\n"},
    {"what is embedded", "",
	PV_STR("<embed src=1><object data=2 codebase=/x/><param value=3>"
	       "</object>"),
	"r /a/1\nr /a/2\n"},
    {"a button that is an image", "",
	PV_STR("<input type=image src=1><input src=2 type=IMAGE>"
	       "<input type=text src=3><input src=4>"
	       "<input type=image src=''>"),
	"r /a/1\nr /a/2\n"},
    {"backgrounds", "",
	PV_STR("<body background=1><table background=2><thead background=3>"
	       "<tbody background=4><tfoot background=5><tr background=6>"
	       "<td background=7><th background=8><p background=9>"
	       "<td background=''>"),
	"r /a/1\nr /a/2\nr /a/3\nr /a/4\nr /a/5\nr /a/6\nr /a/7\nr /a/8\n"},
    {"drawings", "",
	PV_STR("<svg><a href=1></a><image href=2 /><use href=3#x />"
	       "<script href=4></script><feImage href=5 />"
	       "<a xlink:href=6></a><image xlink:href=7 /><use XLink:Href=8 />"
	       "<script xlink:href=9></script><feImage xlink:href=10 /></svg>"),
	"p /a/1\nr /a/2\nr /a/3\nr /a/4\nr /a/5\np /a/6\nr /a/7\nr /a/8\n"
	"r /a/9\nr /a/10\n"},
    {"of two addresses the newer one", "",
	PV_STR("<svg><use xlink:href=1 href=2 /><a href='' xlink:href=3>"),
	"r /a/2\np /a/page.html?q\n"},
    {"what a drawing has within the page leads nowhere", "",
	PV_STR("<base href=/b/><svg><use href='#x'/><feImage href=' #y'/>"
	       "<use href=''/><a href='#z'></a>"),
	"p /b/\n"},
    {"places of drawings are none elsewhere", "",
	PV_STR("<a xlink:href=1><use href=2><image href=3><script href=4>"
	       "</script><svg><image src=5 /><script src=6></script>"),
	""},
    {"a style", "",
	PV_STR("<style>@import '1'; a { b: url(2) }</style>"
	       "<style type='Text/CSS'>a { b: url(\"3\") }</style>"
	       "<style type=''>a{b:url(4)}</style>"),
	"r /a/1\nr /a/2\nr /a/3\nr /a/4\n"},
    {"in another language", "",
	PV_STR("<style type='text/less'>a { b: url(1) }</style>"
	       "<style type='text/css;x'>a { b: url(2) }</style>"),
	""},
    {"no references are read in it, but escapes are", "",
	PV_STR("<style>a { b: url(x?1&amp;2\\29 \\&) }</style>"),
	"r /a/x?1&amp;2)&\n"},
    {"in a drawing they are", "",
	PV_STR("<svg><style>a{b:url(x&amp;y\\29)}</style><style><![CDATA["
	       "a{b:url(x&amp;y)}]]></style><style type=x>a{b:url(z)}"
	       "</style></svg>"),
	"r /a/x&y)\nr /a/x&amp;y\n"},
    {"what is relative in it is so to the page's base", "",
	PV_STR("<style>a { b: url(1) url(/2) }</style><base href=/b/>"),
	"r /b/1\nr /2\n"},
    {"a style attribute", "",
	PV_STR("<p style='background: url(1)'><td style=\"a: url('2'),url(3)"
	       "\"><a href=4 style=a:url(5)><textarea style='a:url(6)'>"),
	"r /a/1\nr /a/2\nr /a/3\np /a/4\nr /a/5\nr /a/6\n"},
    {"with references and escapes", "",
	PV_STR("<p style='a:url(&quot;x&amp;y&quot;) url&lpar;z&#41;'>"
	       "<p style='a:url(x&#92;29 y) url(&quot;&#x5c;&quot;&quot;)'>"
	       "<p style='a:&#117;rl(&eacute;&copy;)'>"),
	"r /a/x&y\nr /a/z\nr /a/x)y\nr /a/%22\nr /a/%C3%A9%C2%A9\n"},
    {"of which the first counts", "",
	PV_STR("<p style='a:url(1)' style='a:url(2)'><p style style='a:url(3)"
	       "'>"),
	"r /a/1\n"},
    {"fragments and nothing lead nowhere", "",
	PV_STR("<p style='a:url(#x)'><p style='a:url(&num;x) url(&quot;&quot;)"
	       "'><style>a{b:url(#x) url()}</style>"),
	""},
    {"a style in another encoding", "shift_jis",
	PV_STR("<style>a{b:url(\x95\x5c)}</style><p style='a:url(\x95\x5c)"
	       "'><p style='a:url(&quot;\x95\x5c&quot;) url(&eacute;&bsol;)b)"
	       "'>"),
	"r /a/%E8%A1%A8\nr /a/%E8%A1%A8\nr /a/%E8%A1%A8\nr /a/%C3%A9)b\n"},
    {"one that must be converted", "utf-16le",
	PV_STR("<\0p\0 \0s\0t\0y\0l\0e\0=\0a\0:\0u\0r\0l\0(\0\xe9\0)\0>\0"),
	"r /a/%C3%A9\n"},
    {"what no script has run for", "",
	PV_STR("<noscript><img src=1><style>a{b:url(2)}</style></noscript>"),
	"r /a/1\nr /a/2\n"},
    {"text and templates hold none", "",
	PV_STR("<!-- <a href=1> --><script>'<a href=2>'</script><textarea>"
	       "<a href=3></textarea><title><a href=4></title><template>"
	       "<a href=5><style>a{b:url(6)}</style><base href=/b/>"
	       "</template><a href=7>"),
	"p /a/7\n"},
    {"a rel changes nothing elsewhere", "",
	PV_STR("<a rel=icon href=1><img rel=next src=2>"), "p /a/1\nr /a/2\n"},
    {"links that are not to be followed", "",
	PV_STR("<a href=1 rel='x NoFollow'><a rel=nofollows href=2>"
	       "<a rel='no&#102;ollow' href=3>"),
	"pn /a/1\np /a/2\npn /a/3\n"},
    {"a refresh", "",
	PV_STR("<meta http-equiv=Refresh content='0;url=1'>"
	       "<meta content='0;url=2' http-equiv='refres&#104;'>"
	       "<meta http-equiv=x content='0;url=3'>"
	       "<meta content='0;url=4'><meta http-equiv=refresh content=5>"),
	"p /a/1\np /a/2\n"},
    {"a srcset and its src, as they stand", "",
	PV_STR("<img srcset='1 1x, 2 2x' src=3><img src=4 srcset=5>"),
	"r /a/1\nr /a/2\nr /a/3\nr /a/4\nr /a/5\n"},
    {"attributes of other elements", "",
	PV_STR("<a src=1><img href=2><p href=3 src=4><link src=5>"), ""},
    {"of the same attribute the first", "",
	PV_STR("<a href=1 href=2><a HREF='' href=3>"),
	"p /a/1\np /a/page.html?q\n"},
    {"an empty link is the page", "", PV_STR("<a href=''><area href>"),
	"p /a/page.html?q\np /a/page.html?q\n"},
    {"an empty image is none", "",
	PV_STR("<img src=''><script src=' '></script><link href><iframe "
	       "src='\n'></iframe><img srcset=' '>"),
	""},
    {"references in links", "",
	PV_STR("<a href='?a&amp;b&#61;c'><img srcset='x?1&amp;2 1x'>"),
	"p /a/page.html?a&b=c\nr /a/x?1&2\n"},
    {"breaks in links", "", PV_STR("<a href=' x\n\ty '>"), "p /a/xy\n"},
    {"other schemes", "",
	PV_STR("<a href='javascript:x()'><a href=mailto:x@y>"
	       "<a href='&#106;avascript:x'><img src='data:,x'>"),
	"p foreign\np foreign\np foreign\nr foreign\n"},
    {"what is no address", "", PV_STR("<a href='http://['>"), "p invalid\n"},
    {"a link that the page cuts", "", PV_STR("<a href=1><a href=2"),
	"p /a/1\n"},

    {"a base", "", PV_STR("<base href=/b/><a href=1><a href=/2>"),
	"p /b/1\np /2\n"},
    {"a base holds for links before it", "",
	PV_STR("<a href=1><base href=/b/>"), "p /b/1\n"},
    {"the first base counts", "",
	PV_STR("<base target=x><base href=/b/><base href=/c/><a href=1>"),
	"p /b/1\n"},
    {"a base on another host", "",
	PV_STR("<base href='//example.net/x?y#z'><a href=1><a href='#a'>"),
	"p https://example.net/1\np https://example.net/x?y\n"},
    {"an empty base", "", PV_STR("<base href><a href=1>"), "p /a/1\n"},
    {"a base that is no address", "",
	PV_STR("<base href='http://['><a href=1>"), "p /a/1\n"},
    {"a base that would run", "",
	PV_STR("<base href=' JavaScript:x'><a href=1>"), "p /a/1\n"},
    {"or is data", "", PV_STR("<base href='data:,x'><a href=1>"), "p /a/1\n"},
    {"what is relative to another scheme's base is not ours", "",
	PV_STR("<base href=ftp://x/><a href=1><a href=http://y/>"),
	"p invalid\np http://y/\n"},
    {"references in a base", "", PV_STR("<base href='/b&#47;'><a href=1>"),
	"p /b/1\n"},

    {"bytes of an unknown encoding", "", PV_STR("<a href='\xe9?\xe9'>"),
	"p /a/%E9?%E9\n"},
    {"UTF-8", "utf-8", PV_STR("<a href='\u00e9?\u00e9\xff'>"),
	"p /a/%C3%A9?%C3%A9%EF%BF%BD\n"},
    {"the header's encoding", "windows-1251", PV_STR("<a href='\xef?\xef'>"),
	"p /a/%D0%BF?%EF\n"},
    {"the page's encoding", "",
	PV_STR("<meta charset=windows-1251><a href='\xef?\xef'>"),
	"p /a/%D0%BF?%EF\n"},
    {"references in another encoding", "windows-1251",
	PV_STR("<a href='?&#1087;&eacute;\xef'>"),
	"p /a/page.html?%EF%26%23233%3B%EF\n"},
    {"backslashes within characters", "shift_jis",
	PV_STR("<a href='\x95\x5c/x\\y'>"), "p /a/%E8%A1%A8/x/y\n"},
    {"UTF-16", "utf-16le", PV_STR("<\0a\0 \0h\0r\0e\0f\0=\0\xe9\0>\0"),
	"p /a/%C3%A9\n"},
    {"UTF-16 with a mark", "", PV_STR("\xfe\xff\0<\0a\0 \0h\0r\0e\0f\0=\0x\0>"),
	"p /a/x\n"},
    {"Japanese that only looks like markup", "iso-2022-jp",
	PV_STR("<a href='x\x1b$B<a\x1b(By'>"), "p /a/x%E9%87%88y\n"},
    {"an encoding that hides everything", "hz-gb-2312", PV_STR("<a href=1>"),
	""},
};

/* The same for style sheets at ADDRESS. */
static const struct {
	const char *claim;
	const char *charset;
	struct pv_str sheet;
	const char *links;
} sheets[] = {
    {"the links of a sheet", "",
	PV_STR("@import 'x.css'; a { b: url(../y.png) url(\"//z/\") }"),
	"r /a/x.css\nr /y.png\nr https://z/\n"},
    {"their escapes are read, references are not", "",
	PV_STR("a{b:url(x\\28 y\\)&amp;\\e9)}@import '\\\n z\\''"),
	"r /a/x(y)&amp;%C3%A9\nr /a/z'\n"},
    {"other schemes", "",
	PV_STR("a { b: url(data:,x) url(d\\61ta:,y) url(about:blank) }"),
	"r foreign\nr foreign\nr foreign\n"},
    {"nobody tells the encoding", "", PV_STR("a{b:url(\xc3\xa9?\xff)}"),
	"r /a/%C3%A9?%EF%BF%BD\n"},
    {"the header tells it", "windows-1251", PV_STR("a{b:url(\xef?\xef)}"),
	"r /a/%D0%BF?%EF\n"},
    {"the sheet tells it", "",
	PV_STR("@charset \"windows-1251\";a{b:url(\xef?\xef)}"),
	"r /a/%D0%BF?%EF\n"},
    {"less than the header", "utf-8",
	PV_STR("@charset \"windows-1251\";a{b:url(\xc3\xa9)}"),
	"r /a/%C3%A9\n"},
    {"a mark tells more than that", "windows-1251",
	PV_STR("\xef\xbb\xbf@import '\xc3\xa9';"), "r /a/%C3%A9\n"},
    {"escapes in another encoding", "windows-1251",
	PV_STR("a{b:url(?\\43f\\e9)}"), "r /a/page.html?%EF%26%23233%3B\n"},
    {"half a character is no escape", "gbk", PV_STR("a{b:url(\x81\x5c)}"),
	"r /a/%E4%B9%97\n"},
    {"UTF-16", "", PV_STR("\xff\xfe@\0i\0m\0p\0o\0r\0t\0'\0\xe9\0'\0;\0"),
	"r /a/%C3%A9\n"},
    {"Japanese that only looks like a sheet", "iso-2022-jp",
	PV_STR("a{b:url(x\x1b$B<)\x1b(By)}"), "r /a/x%E8%80%8Cy\n"},
    {"a page is none", "",
	PV_STR("<base href=/b/><a href=1><style>a{b:url(2)}</style>"),
	"r /a/2\n"},
};

static struct pv_page_facts facts_of(const char *charset)
{
	return (struct pv_page_facts){
	    .charset = pv_str_of(charset), .product = PV_STR("examplebot")};
}

static const char *word_of(enum pv_url_result result)
{
	switch (result) {
	case PV_URL_INVALID:
		return "invalid";
	case PV_URL_FOREIGN_SCHEME:
		return "foreign";
	case PV_URL_TOO_LONG:
		return "too long";
	default:
		return "";
	}
}

static void write_link(struct pv_buf *buf, const struct pv_page_link *link,
    enum pv_url_result result, const struct pv_url *url)
{
	struct pv_str own = PV_STR("https://docs.example.org");
	struct pv_str text = pv_str_of(word_of(result));
	if (result == PV_URL_OK)
		text = pv_url_page(url);
	if (pv_str_starts(text, own))
		text = pv_str_from(text, own.len);
	pv_buf_append_format(buf, "%s%s%s %.*s\n", link->is_page ? "p" : "r",
	    link->is_ahead ? "a" : "", link->is_nofollow ? "n" : "",
	    PV_STR_ARG(text));
}

static void write_links(struct pv_buf *buf, const struct pv_links *links)
{
	struct pv_joiner joiner;
	struct pv_url page, url;
	pv_url_init(&page, ADDRESS_LEN_MAX);
	pv_url_init(&url, ADDRESS_LEN_MAX);
	pv_joiner_init(&joiner, ADDRESS_LEN_MAX);
	pv_url_parse(&page, PV_STR(ADDRESS));
	pv_joiner_turn(&joiner, links, &page);
	for (size_t i = 0; i < links->count; i++) {
		enum pv_url_result result =
		    pv_joiner_join(&joiner, &url, &links->items[i]);
		write_link(buf, &links->items[i], result, &url);
	}
	pv_joiner_finish(&joiner);
	pv_url_finish(&url);
	pv_url_finish(&page);
}

static void check_pages(void)
{
	struct pv_buf buf;
	struct pv_links links;
	pv_buf_init(&buf, 4096);
	pv_links_init(&links, 100, 4096);
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		struct pv_page_facts facts = facts_of(pages[i].charset);
		pv_buf_clear(&buf);
		pv_links_read(&links, pages[i].page, &facts);
		write_links(&buf, &links);
		is_text(pv_buf_str(&buf), pages[i].links, "%s", pages[i].claim);
	}
	for (size_t i = 0; i < sizeof(sheets) / sizeof(*sheets); i++) {
		struct pv_page_facts facts = facts_of(sheets[i].charset);
		pv_buf_clear(&buf);
		pv_links_read_sheet(&links, sheets[i].sheet, &facts);
		write_links(&buf, &links);
		is_text(
		    pv_buf_str(&buf), sheets[i].links, "%s", sheets[i].claim);
	}
	pv_links_finish(&links);
	pv_buf_finish(&buf);
}

static void check_places(void)
{
	struct pv_links links;
	struct pv_page_facts facts = facts_of("");
	struct pv_str page = PV_STR("<p><a href=\"x&amp;y\"><img srcset='u "
				    "1x, v 2x'><meta http-equiv=refresh "
				    "content='0; url=w'>");
	pv_links_init(&links, 100, 4096);
	pv_links_read(&links, page, &facts);
	ok(links.count == 4 && !links.is_converted &&
		links.text.ptr == page.ptr,
	    "links are pieces of the page");
	is_text(links.items[0].value, "x&amp;y", "whole values");
	ok(pv_page_link_start(&links, &links.items[0]) == 12,
	    "whose place is known");
	is_text(links.items[2].value, "v", "an image of several");
	is_text(links.items[3].value, "w", "and where a refresh leads");
	page = PV_STR("<p style='a:url(&quot;x&amp;y&quot;) url( z&comma; )'>"
		      "<p style='a:url(v)'><style>@import \"u\";</style>");
	pv_links_read(&links, page, &facts);
	is_text(links.items[0].value, "x&amp;y", "one in a style attribute");
	ok(pv_page_link_start(&links, &links.items[0]) == 22,
	    "is known by its place, whatever is read before it");
	is_text(links.items[1].value, "z&comma;", "and so are those behind it");
	is_text(links.items[2].value, "v", "and where there are no references");
	is_text(links.items[3].value, "u", "and in a style element");
	ok(links.items[0].form == PV_FORM_STYLE &&
		links.items[3].form == PV_FORM_SHEET && !links.items[3].place,
	    "it is known how they are written");
	pv_links_finish(&links);
}

/* Promise P5: what a page makes large has a ceiling, and a word. */
static void check_ceilings(void)
{
	struct pv_links links;
	struct pv_page_facts facts = facts_of("");
	pv_links_init(&links, 2, 8);
	pv_links_read(&links, PV_STR("<a href=1><a href=2>"), &facts);
	ok(links.count == 2 && links.end == PV_LINKS_WHOLE,
	    "as many links as are allowed are no fault");
	pv_links_read(&links, PV_STR("<a href=1><img srcset='2,, 3'>"), &facts);
	ok(links.count == 2 && links.end == PV_LINKS_MANY,
	    "more are left out, with a word");
	is_text(pv_str_of(pv_links_word(links.end)), "too many links",
	    "that a person can read");
	pv_links_read(&links,
	    PV_STR("<iframe srcdoc='<base href=/b/><a href=1><a href=2>"
		   "<a href=3>'></iframe><a href=4><a href=5>"),
	    &facts);
	ok(links.count == 2 && links.end == PV_LINKS_WHOLE &&
		links.items[1].first == 1,
	    "those of an inlay that stays as it is are none");
	facts = facts_of("utf-16le");
	pv_links_read(&links, PV_STR("<\0a\0 \0h\0r\0e\0f\0=\0x\0>\0"), &facts);
	ok(links.end == PV_LINKS_LARGE && !links.count,
	    "a page is converted up to a ceiling");
	pv_links_read_sheet(
	    &links, PV_STR("u\0r\0l\0(\0a\0b\0c\0d\0e\0)\0"), &facts);
	ok(links.end == PV_LINKS_LARGE && !links.count,
	    "so is a sheet, whose last link may then be half of one");
	facts = facts_of("");
	pv_links_read(&links, PV_STR("<p style='&#97;:url(bc)'>"), &facts);
	ok(links.end == PV_LINKS_LARGE && !links.count,
	    "so are a style's references read");
	pv_links_read_sheet(
	    &links, PV_STR("a{b:url(1) url(2) url(3)}"), &facts);
	ok(links.count == 2 && links.end == PV_LINKS_MANY,
	    "a sheet has no more links than allowed");
	pv_links_read(&links, PV_STR("<a href=1>"), &facts);
	ok(links.count == 1 && links.end == PV_LINKS_WHOLE,
	    "and the next page knows nothing of it");
	pv_links_finish(&links);
}

static const struct {
	const char *claim;
	struct pv_str page;
	const char *words;
} robots[] = {
    {"a page that asks nothing", PV_STR("<meta name=x content=none>"), ""},
    {"one that asks robots",
	PV_STR("<META NAME=Robots CONTENT='NoIndex, nofollow'>"),
	"noindex nofollow "},
    {"none is both", PV_STR("<meta content=none name=robots>"),
	"noindex nofollow "},
    {"one that asks us", PV_STR("<meta name=ExampleBot content=noarchive>"),
	"noarchive "},
    {"by our family name", PV_STR("<meta name=pavane content=nofollow>"),
	"nofollow "},
    {"what is asked twice adds up",
	PV_STR("<meta name=robots content=noindex>"
	       "<meta name=examplebot content='index,nofollow'>"),
	"noindex nofollow "},
    {"one that asks another", PV_STR("<meta name=otherbot content=none>"), ""},
    {"none that is another word's value",
	PV_STR("<meta name=robots content='max-image-preview: none'>"), ""},
    {"unknown words", PV_STR("<meta name=robots content='nofollows,noodp'>"),
	""},
};

static void check_robots(void)
{
	struct pv_links links;
	struct pv_page_facts facts = facts_of("");
	struct pv_buf buf;
	pv_links_init(&links, 2, 8);
	pv_buf_init(&buf, 100);
	for (size_t i = 0; i < sizeof(robots) / sizeof(*robots); i++) {
		pv_buf_clear(&buf);
		pv_links_read(&links, robots[i].page, &facts);
		pv_buf_append_format(&buf, "%s%s%s",
		    pv_robots_words_has(&links.robots, PV_WORD_NOINDEX)
			? "noindex "
			: "",
		    pv_robots_words_has(&links.robots, PV_WORD_NOFOLLOW)
			? "nofollow "
			: "",
		    pv_robots_words_has(&links.robots, PV_WORD_NOARCHIVE)
			? "noarchive "
			: "");
		is_text(
		    pv_buf_str(&buf), robots[i].words, "%s", robots[i].claim);
	}
	pv_buf_finish(&buf);
	pv_links_finish(&links);
}

static const struct {
	const char *claim;
	struct pv_str page;
	const char *wanted;
} reserved[] = {
    {"a page that says nothing of mining",
	PV_STR("<meta name=x content=1><meta property=tdm-policy content=x>"),
	""},
    {"one that reserves it", PV_STR("<meta name=tdm-reservation content=1>"),
	"1 "},
    {"and says on what terms",
	PV_STR("<meta name=TDM-Reservation content='&#49;'>"
	       "<meta content='/a&amp;b' name=tdm-policy>"),
	"1 /a&b"},
    {"or only that", PV_STR("<meta content='/p' name=tdm-policy>"), "/p"},
    {"one that does not", PV_STR("<meta name=tdm-reservation content=0>"),
	"0 "},
    {"one that says what nobody knows",
	PV_STR("<meta name=tdm-reservation content=2><meta name=tdm-policy>"),
	""},
};

static void check_reserved(void)
{
	struct pv_links links;
	struct pv_page_facts facts = facts_of("");
	struct pv_buf buf;
	pv_links_init(&links, 2, 8);
	pv_buf_init(&buf, 100);
	for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++) {
		const struct pv_tdm *tdm = &links.tdm;
		pv_buf_clear(&buf);
		pv_links_read(&links, reserved[i].page, &facts);
		pv_buf_append_text(&buf, !tdm->has_reservation ? ""
					 : tdm->is_reserved    ? "1 "
							       : "0 ");
		pv_buf_append(&buf, pv_buf_str(&tdm->policy));
		is_text(pv_buf_str(&buf), reserved[i].wanted, "%s",
		    reserved[i].claim);
	}
	pv_buf_finish(&buf);
	pv_links_finish(&links);
}

static void check_charset(void)
{
	static char page[4096];
	struct pv_links links;
	struct pv_page_facts facts = facts_of("");
	const char meta[] = "<meta charset=koi8-r><meta charset=utf-8>";
	memset(page, ' ', sizeof(page));
	memcpy(page + 2000, meta, sizeof(meta) - 1);
	pv_links_init(&links, 2, 8);
	pv_links_read(&links, (struct pv_str){page, sizeof(page)}, &facts);
	ok(links.charset.encoding &&
		strcmp(links.charset.encoding->name, "koi8-r") == 0,
	    "a page may tell its encoding late, but once");
	pv_links_read(&links, PV_STR(""), &facts);
	ok(!links.charset.encoding && !links.count && !links.base.ptr,
	    "an empty page tells nothing");
	pv_links_finish(&links);
}

/* The same bytes as HTML and as XHTML. */
static void test_xml(void)
{
	static const struct {
		const char *claim;
		struct pv_str page;
		size_t html;
		size_t xml;
	} both[] = {
	    {"an element that closes itself has no text",
		PV_STR("<script src=\"1\"/><title/><a href=\"2\">"), 1, 2},
	    {"any text may be CDATA",
		PV_STR("<p><![CDATA[ > <a href=\"1\"> ]]></p>"), 1, 0},
	    {"and the rest is as it was",
		PV_STR("<script>\"<a href=1>\"</script><br/><a href=\"2\"/>"),
		1, 1},
	};
	struct pv_links links;
	pv_links_init(&links, 100, 1 << 16);
	for (size_t i = 0; i < sizeof(both) / sizeof(*both); i++) {
		struct pv_page_facts facts = {.is_xml = false};
		pv_links_read(&links, both[i].page, &facts);
		size_t html = links.count;
		facts.is_xml = true;
		pv_links_read(&links, both[i].page, &facts);
		ok(html == both[i].html && links.count == both[i].xml,
		    "in XHTML, %s (%zu, %zu)", both[i].claim, html,
		    links.count);
	}
	const struct pv_page_facts facts = {.is_xml = true};
	pv_links_read(&links, PV_STR("<?xml version='1.0'?><p/>"), &facts);
	is_text(pv_str_of(links.charset.encoding->name), "utf-8",
	    "it is UTF-8 where nobody says anything");
	pv_links_read(&links,
	    PV_STR("<?xml version='1.0' encoding='koi8-r'?><p/>"), &facts);
	is_text(pv_str_of(links.charset.encoding->name), "koi8-r",
	    "or what its declaration says");
	pv_links_finish(&links);
}

int main(void)
{
	check_pages();
	check_places();
	check_ceilings();
	check_robots();
	check_reserved();
	check_charset();
	test_xml();
	return tap_done();
}
