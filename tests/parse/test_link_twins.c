#include "parse/link_twins.h"

#include "tap.h"

/* The links of a page: for each the number of the first that says the same but
 * for its fragment. */
static void is_like(const char *page, const char *firsts, const char *claim)
{
	const struct pv_page_facts facts = {.is_xml = false};
	struct pv_links links;
	struct pv_buf text;
	pv_links_init(&links, 1000, 10000);
	links.takes_mentions = true;
	pv_links_read(&links, pv_str_of(page), &facts);
	pv_buf_init(&text, 1000);
	for (size_t i = 0; i < links.count; i++)
		pv_buf_append_format(
		    &text, "%s%u", i ? " " : "", links.items[i].first);
	is_text(pv_buf_str(&text), firsts, "%s", claim);
	pv_buf_finish(&text);
	pv_links_finish(&links);
}

static void test_twins(void)
{
	is_like("<a href=a><a href=b><a href=a><a href=a><a href=b>",
	    "0 1 0 0 1", "links that say the same");
	is_like("<a href=a#x><a href=a><a href='a#y#z'><a href=a#>", "0 0 0 0",
	    "but for their fragments");
	is_like("<a href=#x><a href=#y><a href=''>", "0 0 0",
	    "be it that they say nothing else");
	is_like("<a href=a><a href=A><a href=a/><a href=./a><a href=a?>",
	    "0 1 2 3 4", "what is written otherwise is not compared");
	is_like("<a href=a><img src=a><a href=a><img src=a>", "0 1 0 1",
	    "pages are none of resources");
	is_like("<a href=a><a href=a rel=nofollow><a href=a>"
		"<a href=a rel=nofollow>",
	    "0 1 0 1", "nor links to be followed of such as are not");
	is_like("<form action=a></form><a href=a><form action=a></form>",
	    "0 1 0", "nor of what nobody asks for");
}

static void test_plain(void)
{
	is_like("<a href='a%20'><a href='a%20'>", "0 1", "escapes");
	is_like("<a href='a&amp;'><a href='a&amp;'>", "0 1", "references");
	is_like("<a href=' a'><a href=' a'>", "0 1", "white space");
	is_like("<a href='\xc3\xa4'><a href='\xc3\xa4'>", "0 1",
	    "letters of an encoding");
	is_like(
	    "<a href='a#%20'><a href='a#%20'>", "0 1", "a fragment with such");
	is_like("<img srcset='a 1x, a 2x'>", "0 1", "a list");
	is_like("<p style='a:url(a)'><p style='a:url(a)'>", "0 1", "styles");
	is_like("<style>a{a:url(a);b:url(a)}</style>", "0 1",
	    "and sheets are compared with nothing");
	ok(pv_link_is_plain(PV_STR("http://a.example/B-c_d.e~f?g=h#i:0")) &&
		pv_link_is_plain(PV_STR("")),
	    "what says what it means is plain");
	ok(!pv_link_is_plain(PV_STR("a%")) && !pv_link_is_plain(PV_STR("&a")) &&
		!pv_link_is_plain(PV_STR("a\\")),
	    "and what may not is not");
}

static void append_link(struct pv_buf *page, unsigned number, unsigned part)
{
	pv_buf_append_format(page, "<a href=page%u.html#%u>", number, part);
}

/* More than are remembered; each page twice at once, and once more at the
 * end. */
static void test_many(void)
{
	enum { PAGES = 5000 };
	const struct pv_page_facts facts = {.is_xml = false};
	struct pv_links links;
	struct pv_buf page;
	unsigned wrong = 0;
	unsigned late = 0;
	pv_links_init(&links, 10 * PAGES, 0);
	pv_buf_init(&page, 1 << 20);
	for (unsigned i = 0; i < PAGES; i++) {
		append_link(&page, i, 1);
		append_link(&page, i, 2);
	}
	for (unsigned i = 0; i < PAGES; i++)
		append_link(&page, i, 3);
	pv_links_read(&links, pv_buf_str(&page), &facts);
	for (size_t i = 0; i < 2 * PAGES; i++)
		wrong += links.items[i].first != i / 2 * 2;
	ok(links.count == 3 * PAGES && wrong == 0,
	    "of however many those that follow are noticed (%u wrong)", wrong);
	for (size_t i = 0; i < PAGES; i++) {
		size_t first = links.items[2 * PAGES + i].first;
		late += first == 2 * i;
		wrong += first != 2 * i && first != 2 * PAGES + i;
	}
	ok(late > 0 && late < PAGES && wrong == 0,
	    "the others as far as they are remembered (%u, %u wrong)", late,
	    wrong);
	pv_buf_finish(&page);
	pv_links_finish(&links);
}

/* What is remembered of one page must not be taken for one of the next. */
static void test_pages(void)
{
	const struct pv_page_facts facts = {.is_xml = false};
	struct pv_links links;
	pv_links_init(&links, 1000, 10000);
	pv_links_read(&links, PV_STR("<a href=a><a href=b>"), &facts);
	pv_links_read(&links, PV_STR("<a href=c><a href=b><a href=a>"), &facts);
	ok(links.items[0].first == 0 && links.items[1].first == 1 &&
		links.items[2].first == 2,
	    "a page's links are not those of the page before");
	pv_links_finish(&links);
}

int main(void)
{
	test_twins();
	test_plain();
	test_many();
	test_pages();
	return tap_done();
}
