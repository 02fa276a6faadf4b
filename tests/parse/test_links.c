#include "parse/joiner.h"

#include "tap.h"

#define ADDRESS "https://docs.example.org/a/page.html?q"
#define ADDRESS_LEN_MAX 2000

/* The links of pages at ADDRESS, one a line: p(age) or r(esource), n where we
 * are asked not to follow, and the address or what is wrong with it. */
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
	PV_STR("<link href=1><img src=2><script src=3></script><source src=4 "
	       "srcset=5><image src=6>"),
	"r /a/1\nr /a/2\nr /a/3\nr /a/4\nr /a/5\nr /a/6\n"},
    {"what a rel makes of a link", "",
	PV_STR("<link href=1 rel=canonical><link rel='x ALTERNATE' href=2>"
	       "<link rel=next href=3><link rel=prev href=4>"
	       "<link rel=icon href=5><link rel='alternate stylesheet' "
	       "href=6>"),
	"p /a/1\np /a/2\np /a/3\np /a/4\nr /a/5\nr /a/6\n"},
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

static struct pv_page_facts facts_of(const char *charset)
{
	return (struct pv_page_facts){pv_str_of(charset), PV_STR("examplebot")};
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
	pv_buf_append_format(buf, "%s%s %.*s\n", link->is_page ? "p" : "r",
	    link->is_nofollow ? "n" : "", PV_STR_ARG(text));
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
		    pv_joiner_join(&joiner, &url, links->items[i].value);
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
	facts = facts_of("utf-16le");
	pv_links_read(&links, PV_STR("<\0a\0 \0h\0r\0e\0f\0=\0x\0>\0"), &facts);
	ok(links.end == PV_LINKS_LARGE && !links.count,
	    "a page is converted up to a ceiling");
	facts = facts_of("");
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
		    links.robots.is_noindex ? "noindex " : "",
		    links.robots.is_nofollow ? "nofollow " : "",
		    links.robots.is_noarchive ? "noarchive " : "");
		is_text(
		    pv_buf_str(&buf), robots[i].words, "%s", robots[i].claim);
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

int main(void)
{
	check_pages();
	check_places();
	check_ceilings();
	check_robots();
	check_charset();
	return tap_done();
}
