#include "parse/joiner.h"
#include "tap.h"

/* Pages of hell (P5): what one link stands before is read in one pass and in
 * bounded memory, and the link is kept.
 *
 * No clock is asked whether the work only grows with the page: the pages are
 * so large that anything quadratic would not be done in the test's time.
 */

#define PAGE_BYTES_MAX ((size_t)256 << 20)
#define LINKS_MAX 1000000
#define TEXT_MAX (1 << 20)
#define ADDRESS_LEN_MAX 2000

/* The page is a link, one piece again and again, and an end. */
static const struct {
	const char *claim;
	struct pv_str piece;
	unsigned times;
	const char *end;
	size_t links; /* beside the first */
} pages[] = {
    {"5 MB of a comment that never ends", PV_STR("<!-- <a href=1>"), 350000, "",
	0},
    {"5 MB of a comment that nearly ends", PV_STR("<!-- -- > -> --! > -"),
	250000, "", 0},
    {"5 MB of a script that never ends", PV_STR("<script></scrip <a href=1>"),
	200000, "", 0},
    {"5 MB of a script in a comment that never ends",
	PV_STR("<script><!--<script> -- > </script "), 150000, "", 0},
    {"5 MB of a title that never ends", PV_STR("<title></titl </titles>"),
	225000, "", 0},
    {"5 MB of CDATA that never ends", PV_STR("<svg><![CDATA[ ]] > ]>"), 237500,
	"", 0},
    {"5 MB of a declaration that never ends", PV_STR("<!doctype \"'"), 425000,
	"", 0},
    {"5 MB of a tag that never ends", PV_STR("<a x='>' y "), 450000, "", 0},
    {"5 MB of end tags that never end", PV_STR("</a x='>' y "), 425000, "", 0},
    {"5 MB of nothing but <", PV_STR("<"), 5000000, "", 0},
    {"of nothing but </", PV_STR("</"), 2500000, "", 0},
    {"of nothing but <!--", PV_STR("<!--"), 1250000, "", 0},
    {"of nothing but NULs", PV_STR("\0"), 5000000, "", 0},
    {"a million tags of nothing", PV_STR("<a>"), 1000000, "<a href=x>", 1},
    {"a million tags that end themselves", PV_STR("<a/>"), 1000000,
	"<a href=x>", 1},
    {"200,000 nested elements", PV_STR("<div>"), 200000, "<a href=x>", 1},
    {"200,000 nested links", PV_STR("<a href=y>"), 200000, "<a href=x>",
	200001},
    {"200,000 annotations", PV_STR("<math><annotation-xml encoding=text/html>"),
	200000, "<a href=x>", 1},
    {"200,000 fonts in a drawing that end nothing",
	PV_STR("<svg><font a=b c=d x='color'>"), 200000, "</svg><p><a href=x>",
	1},
    {"200,000 nested drawings", PV_STR("<svg>"), 200000,
	"<a href=x></svg><p><a href=y>", 2},
    {"200,000 drawings nested in HTML", PV_STR("<svg><foreignObject>"), 200000,
	"<a href=x>", 1},
    {"and left again", PV_STR("<svg><desc></desc></svg></svg>"), 200000,
	"<a href=x>", 1},
    {"a million bases", PV_STR("<base href=/b>"), 1000000, "<a href=x>", 1},
    {"200,000 nested templates", PV_STR("<template>"), 200000,
	"<a href=x></template><a href=y>", 0},
    {"and left again", PV_STR("<template shadowrootmode=x><svg></template>"),
	200000, "<a href=x>", 1},
    {"a million styles", PV_STR("<style>a{b:url(c)}</style>"), 1000000 - 2,
	"<a href=x>", 1000000 - 1},
    {"styles of a drawing that never end", PV_STR("<svg><style><![CDATA["),
	250000, "", 0},
    {"or never begin", PV_STR("<svg><style>         "), 250000, "", 0},
    {"a million style attributes", PV_STR("<p style='&amp;:url(x)'>"),
	1000000 - 1, "", 1000000 - 1},
    {"a million words to robots",
	PV_STR("<meta name=robots content='a&amp;b,c'>"), 500000, "<a href=x>",
	1},
};

/* One tag: a beginning, one piece again and again, and an end. */
static const struct {
	const char *claim;
	const char *start;
	struct pv_str piece;
	unsigned times;
	const char *end;
	size_t links;
} tags[] = {
    {"100,000 attributes", "<a ", PV_STR("a='b' "), 100000, "href=x>", 1},
    {"a million attributes without values", "<a ", PV_STR("b/"), 1000000,
	"href=x>", 1},
    {"a million times the same that counts", "<a ", PV_STR("href=x "), 1000000,
	">", 1},
    {"100,000 attributes of a tag that is nothing to us", "<p ",
	PV_STR("a='<a href=x>' "), 100000, "><a href=x>", 1},
    {"5 MB of a value that never ends", "<a href=\"", PV_STR("<a href=x>"),
	500000, "'>", 0},
    {"5 MB of equals signs", "<a href", PV_STR("="), 5000000, ">", 1},
    {"5 MB of quotes", "<a ", PV_STR("\""), 5000000, " href=x>", 1},
    {"5 MB of a name", "<a ", PV_STR("x"), 5000000, " href=x>", 1},
    {"5 MB of a tag's name", "<", PV_STR("a"), 5000000, "><a href=x>", 1},
    {"5 MB of an address", "<a href=", PV_STR("x"), 5000000, ">", 1},
    {"2.5 MB of data", "<img src=data:,", PV_STR("x"), 2500000, ">", 1},
    {"5 MB of ampersands", "<a href=", PV_STR("&"), 5000000, ">", 1},
    {"5 MB of a reference's name", "<a href=&", PV_STR("a"), 5000000, ">", 1},
    {"5 MB of digits", "<a href=&#", PV_STR("1"), 5000000, ">", 1},
    {"5 MB of references", "<a href=", PV_STR("&amp;"), 1000000, ">", 1},
    {"half a million images", "<img srcset='", PV_STR("x 1x,"), 500000, "'>",
	500000},
    {"a million that differ in nothing", "<img srcset='", PV_STR("x,, "),
	1000000 - 1, "'>", 1000000 - 1},
    {"two million of which none is right", "<img srcset='x 1x, ",
	PV_STR("x 1x 1w,"), 2000000, "'>", 1},
    {"a million behind references", "<img srcset='", PV_STR("x&#x20;1x&comma;"),
	1000000 - 1, "'>", 1000000 - 1},
    {"5 MB of commas", "<img srcset='", PV_STR(","), 5000000, "x'>", 1},
    {"5 MB of parentheses", "<img srcset='x 1x, y ", PV_STR("("), 5000000, "'>",
	1},
    {"5 MB of descriptors", "<img srcset='x 1x, y ", PV_STR("1w "), 1500000,
	"'>", 1},
    {"5 MB of ampersands in it", "<img srcset='x 1x, y ", PV_STR("&a"), 2500000,
	"'>", 1},
    {"5 MB of white space", "<img src='", PV_STR(" "), 5000000, "'>", 0},
    {"5 MB of rel", "<a href=x rel='", PV_STR("a "), 2500000, "'>", 1},
    {"5 MB of a charset", "<a href=x><meta http-equiv=content-type content='",
	PV_STR("charset "), 625000, "'>", 1},
    {"5 MB of attributes of a plain tag", "<p ", PV_STR("style='(' "), 500000,
	"><a href=x>", 1},
    {"a plain tag of 5 MB that never ends", "<p style='url(x)' ",
	PV_STR("style='(' "), 500000, "", 0},
    {"5 MB of a template's attributes", "<template ", PV_STR("x=y "), 1250000,
	"></template><a href=x>", 1},
    {"5 MB of a style attribute", "<p style='a:url(x) ", PV_STR("("), 5000000,
	"'>", 1},
    {"500,000 links in one", "<p style='", PV_STR("a:url(x);"), 500000, "'>",
	500000},
    {"20,000 behind references", "<p style='",
	PV_STR("&#97;:url(&quot;x&quot;);"), 20000, "'>", 20000},
    {"5 MB of a refresh's time", "<meta http-equiv=refresh content='",
	PV_STR("5."), 2500000, ";x'>", 1},
    {"that never ends", "<meta http-equiv=refresh content='", PV_STR("5"),
	5000000, "", 0},
    {"of semicolons", "<meta http-equiv=refresh content='0", PV_STR(";"),
	5000000, "x'>", 1},
    {"of its name", "<meta http-equiv=refresh content='0;", PV_STR("url="),
	1250000, "x'>", 1},
    {"of its name in references", "<meta http-equiv=refresh content='0;",
	PV_STR("&#117;r&#108;&equals;"), 250000, "x'>", 1},
    {"of its address in quotes that never end",
	"<meta http-equiv=refresh content='0;url=&quot;", PV_STR("x"), 5000000,
	"'>", 1},
    {"of one that is blank", "<meta http-equiv=refresh content='0;url=\"",
	PV_STR(" "), 5000000, "\"x'>", 0},
    {"a million refreshes in one tag", "<meta http-equiv=refresh ",
	PV_STR("content='0;url=x' "), 1000000, ">", 1},
    {"5 MB of a refresh", "<meta http-equiv=refresh content='0;url",
	PV_STR(" "), 5000000, "=x'>", 1},
};

/* A sheet: a link, a beginning, one piece again and again, and an end. */
static const struct {
	const char *claim;
	const char *start;
	struct pv_str piece;
	unsigned times;
	const char *end;
	size_t links;
} sheets[] = {
    {"5 MB of a sheet's comment that never ends", "/*", PV_STR("* / /* url(a)"),
	400000, "", 0},
    {"of comments that nearly begin", "", PV_STR("/"), 5000000, "url(x)", 1},
    {"of slashes in a comment", "/*", PV_STR("/"), 5000000, "*/url(x)", 1},
    {"of a string that never ends", "\"", PV_STR("'\\\" url(a)\\\n"), 375000,
	"", 0},
    {"of strings that break off", "", PV_STR("\"'\n"), 1500000, "url(x)", 1},
    {"of url() that never begins", "", PV_STR("url( "), 1000000, ")", 0},
    {"of url() that never ends", "url(", PV_STR("url"), 1500000, "\"", 0},
    {"of space before one", "url(", PV_STR(" "), 5000000, "x)", 1},
    {"of space behind one", "url(x", PV_STR(" "), 5000000, "y)url(z)", 1},
    {"of space within them", "", PV_STR("url(x  y)"), 500000, "url(x)", 1},
    {"of bad ones that never end", "", PV_STR("url(a\" "), 750000, "", 0},
    {"of an address", "url(", PV_STR("x"), 5000000, ")", 1},
    {"of an address that is blank", "url('", PV_STR(" "), 5000000, "')", 0},
    {"of its escaped ends of lines", "url('", PV_STR("\\\n"), 2500000, "x')",
	1},
    {"of backslashes", "", PV_STR("\\"), 5000000, " url(x)", 1},
    {"of escapes", "@import '", PV_STR("\\0000e9\r\n"), 500000, "';", 1},
    {"of a name", "", PV_STR("u\\72 "), 1000000, " url(x)", 1},
    {"of at-rules", "", PV_STR("@import"), 750000, " url(x)", 1},
    {"of numbers", "", PV_STR("1e-5+.4"), 750000, " url(x)", 1},
    {"of dashes", "", PV_STR("-"), 5000000, "> url(x)", 1},
    {"of what encloses old sheets", "", PV_STR("<!---->"), 750000, "url(x)", 1},
    {"of parentheses", "", PV_STR("("), 5000000, "url(x)", 1},
    {"of blocks", "", PV_STR("{"), 5000000, "url(x)", 1},
    {"of functions", "", PV_STR("image-set("), 500000, "\"x\";url(x)", 1},
    {"of images to choose from", "image-set(", PV_STR("\"x\" 1x,"), 900000, ")",
	900000},
    {"of addresses", "", PV_STR("url(x)"), 999999, "", 999999},
    {"of imports", "", PV_STR("@import 'x';"), 999999, "", 999999},
    {"one within another", "", PV_STR("@import url(x) supports("), 800000,
	"url(y)", 800000},
    {"that end in nothing", "", PV_STR("@import url(x"), 375000, "", 0},
    {"in blocks that stay open", "", PV_STR("@media x{@import 'x';"), 900000,
	"}url(x)", 900001},
    {"of rules in rules", "", PV_STR("@media x{a{b:url(x)"), 999999, "",
	999999},
    {"of url() in each other", "", PV_STR("url(x)image-set(\"x\","), 499999, "",
	500000},
    {"of strings that never end", "", PV_STR("a:'\\\n"), 1000000, "", 0},
    {"of brackets", "", PV_STR("[({"), 1500000, "url(x)", 1},
    {"of NULs", "", PV_STR("\0"), 5000000, " url(x)", 1},
    {"of bytes that are no UTF-8", "url(", PV_STR("\xff"), 5000000, ")", 1},
};

static void fill(struct pv_buf *page, struct pv_str piece, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		pv_buf_append(page, piece);
}

/* Joins all links; how many of them are addresses. */
static size_t join(const struct pv_links *links)
{
	struct pv_joiner joiner;
	struct pv_url page, url;
	size_t count = 0;
	pv_joiner_init(&joiner, ADDRESS_LEN_MAX);
	pv_url_init(&page, ADDRESS_LEN_MAX);
	pv_url_init(&url, ADDRESS_LEN_MAX);
	pv_url_parse(&page, PV_STR("http://example.org/"));
	pv_joiner_turn(&joiner, links, &page);
	for (size_t i = 0; i < links->count; i++)
		count += pv_joiner_join(&joiner, &url, &links->items[i]) ==
			 PV_URL_OK;
	bool is_bounded = joiner.scratch.size <= joiner.value_max + 1 &&
			  url.text.size <= ADDRESS_LEN_MAX + 1;
	pv_url_finish(&url);
	pv_url_finish(&page);
	pv_joiner_finish(&joiner);
	return is_bounded ? count : 0;
}

static const struct pv_page_facts nothing = {.is_xml = false};

static void check(const struct pv_links *links, size_t count, const char *claim)
{
	bool is_right = links->count == count + 1 &&
			links->end == PV_LINKS_WHOLE && join(links) > 0;
	if (!ok(is_right, "%s", claim))
		printf("# %zu links\n", links->count);
}

static void check_pages(struct pv_links *links, struct pv_buf *page)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		pv_buf_clear(page);
		pv_buf_append_text(page, "<a href=first>");
		fill(page, pages[i].piece, pages[i].times);
		pv_buf_append_text(page, pages[i].end);
		pv_links_read(links, pv_buf_str(page), &nothing);
		check(links, pages[i].links, pages[i].claim);
	}
	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++) {
		pv_buf_clear(page);
		pv_buf_append_text(page, "<a href=first>");
		pv_buf_append_text(page, tags[i].start);
		fill(page, tags[i].piece, tags[i].times);
		pv_buf_append_text(page, tags[i].end);
		pv_links_read(links, pv_buf_str(page), &nothing);
		check(links, tags[i].links, tags[i].claim);
	}
}

static void check_sheets(struct pv_links *links, struct pv_buf *sheet)
{
	for (size_t i = 0; i < sizeof(sheets) / sizeof(*sheets); i++) {
		pv_buf_clear(sheet);
		pv_buf_append_text(sheet, "@import 'first';");
		pv_buf_append_text(sheet, sheets[i].start);
		fill(sheet, sheets[i].piece, sheets[i].times);
		pv_buf_append_text(sheet, sheets[i].end);
		pv_links_read_sheet(links, pv_buf_str(sheet), &nothing);
		check(links, sheets[i].links, sheets[i].claim);
	}
}

static void check_styles(struct pv_links *links, struct pv_buf *page)
{
	pv_buf_clear(page);
	pv_buf_append_text(page, "<a href=x><p style='a:url(x) ");
	fill(page, PV_STR("&quot;"), 1500000);
	pv_buf_append_text(page, "'><a href=y>");
	pv_links_read(links, pv_buf_str(page), &nothing);
	ok(links->count == 2 && links->end == PV_LINKS_LARGE &&
		links->style.size <= TEXT_MAX + 1,
	    "9 MB of references in a style are read no further than allowed, "
	    "and what stands behind them is");
}

static void check_links(struct pv_links *links, struct pv_buf *page)
{
	struct pv_links few;
	pv_buf_clear(page);
	fill(page, PV_STR("<a href=x>"), LINKS_MAX);
	pv_links_read(links, pv_buf_str(page), &nothing);
	ok(links->count == LINKS_MAX && links->end == PV_LINKS_WHOLE &&
		join(links) == LINKS_MAX,
	    "a million links, all of which are kept");
	pv_links_init(&few, 1000, 0);
	pv_links_read(&few, pv_buf_str(page), &nothing);
	ok(few.count == 1000 && few.size <= 2000 && few.end == PV_LINKS_MANY,
	    "or only as many as are allowed, with a word");
	pv_links_finish(&few);
}

static void check_conversion(struct pv_links *links, struct pv_buf *page)
{
	const struct pv_page_facts wide = {.charset = PV_STR("utf-16le")};
	pv_buf_clear(page);
	pv_buf_append(page, PV_STR("<\0a\0 \0h\0r\0e\0f\0=\0x\0>\0"));
	fill(page, (struct pv_str){"\x00\xdc", 2}, 2500000);
	pv_links_read(links, pv_buf_str(page), &wide);
	ok(links->count == 1 && links->end == PV_LINKS_LARGE &&
		links->converted.size <= TEXT_MAX + 1,
	    "5 MB that are no UTF-16 are converted no further than allowed");
}

int main(void)
{
	struct pv_links links;
	struct pv_buf page;
	pv_links_init(&links, LINKS_MAX, TEXT_MAX);
	pv_buf_init(&page, PAGE_BYTES_MAX);
	check_pages(&links, &page);
	check_sheets(&links, &page);
	check_styles(&links, &page);
	check_links(&links, &page);
	check_conversion(&links, &page);
	pv_buf_finish(&page);
	pv_links_finish(&links);
	return tap_done();
}
