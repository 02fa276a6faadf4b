#include <errno.h>

#include "api/look/inspect.h"
#include "api/sized.h"
#include "http/media_type.h"
#include "parse/document.h"
#include "parse/feed.h"
#include "parse/joiner.h"
#include "parse/manifest.h"
#include "parse/sitemap.h"

/* How we read the links of a page or another document, and sitemaps: a file,
 * and the address that it was found at. */

#define ADDRESS_MAX PV_INSPECT_ADDRESS_MAX
#define FILE_MAX ((size_t)64 << 20)
#define LINKS_MAX 1000000

struct page {
	struct pv_buf text;
	struct pv_url base;
	struct pv_url room; /* for the address of a link */
};

static enum pavane_answer page_open(
    struct page *page, const char *file, const char *base)
{
	bool is_cut;
	pv_buf_init(&page->text, FILE_MAX);
	pv_url_init(&page->base, ADDRESS_MAX);
	pv_url_init(&page->room, ADDRESS_MAX);
	if (pv_url_parse(&page->base, pv_str_of(base)) != PV_URL_OK)
		return PAVANE_WRONG;
	return pv_inspect_read(file, &page->text, &is_cut) ? PAVANE_YES
							   : PAVANE_UNREADABLE;
}

static void page_close(struct page *page)
{
	int saved = errno;
	pv_buf_finish(&page->text);
	pv_url_finish(&page->base);
	pv_url_finish(&page->room);
	errno = saved;
}

static struct pv_str charset_of(const char *type)
{
	return pv_charset_label(pv_str_of(type ? type : ""));
}

/* Links */

static void print_link(void *ctx, const struct pv_url *url, bool is_page)
{
	pv_inspect_lines_print(
	    ctx, is_page ? "page" : "resource", pv_url_page(url));
}

static void print_joined(struct pv_inspect_lines *lines, struct page *page,
    const struct pv_links *links)
{
	struct pv_joiner joiner;
	pv_joiner_init(&joiner, ADDRESS_MAX);
	pv_joiner_turn(&joiner, links, &page->base);
	for (size_t i = 0; i < links->count; i++) {
		const struct pv_page_link *link = &links->items[i];
		if (pv_joiner_join(&joiner, &page->room, link) == PV_URL_OK)
			print_link(lines, &page->room, link->is_page);
	}
	pv_joiner_finish(&joiner);
}

/* Each reads a document and prints its links; false if it is none of those. */

static bool print_markup(struct pv_inspect_lines *lines, struct page *page,
    const char *type, bool is_xml)
{
	const struct pv_page_facts facts = {
	    .charset = charset_of(type),
	    .is_xml = is_xml,
	};
	struct pv_links links;
	pv_links_init(&links, LINKS_MAX, FILE_MAX);
	pv_links_read(&links, pv_buf_str(&page->text), &facts);
	print_joined(lines, page, &links);
	pv_links_finish(&links);
	return true;
}

static bool print_page(
    struct pv_inspect_lines *lines, struct page *page, const char *type)
{
	return print_markup(lines, page, type, false);
}

/* XHTML, or a drawing. */
static bool print_xml_page(
    struct pv_inspect_lines *lines, struct page *page, const char *type)
{
	return print_markup(lines, page, type, true);
}

static bool print_sheet(
    struct pv_inspect_lines *lines, struct page *page, const char *type)
{
	const struct pv_page_facts facts = {.charset = charset_of(type)};
	struct pv_links links;
	pv_links_init(&links, LINKS_MAX, FILE_MAX);
	pv_links_read_sheet(&links, pv_buf_str(&page->text), &facts);
	print_joined(lines, page, &links);
	pv_links_finish(&links);
	return true;
}

static bool print_feed(
    struct pv_inspect_lines *lines, struct page *page, const char *type)
{
	return pv_feed_read(pv_buf_str(&page->text), &page->base,
	    charset_of(type), &page->room, print_link, lines);
}

static bool print_manifest(
    struct pv_inspect_lines *lines, struct page *page, const char *type)
{
	(void)type;
	return pv_manifest_read(pv_buf_str(&page->text), &page->base,
	    &page->room, print_link, lines);
}

/* Nobody said what it is. */
static bool print_any(
    struct pv_inspect_lines *lines, struct page *page, const char *type)
{
	bool is_feed = pv_xml_sniff(pv_buf_str(&page->text)) == PV_XML_FEED;
	return (is_feed ? print_feed : print_page)(lines, page, type);
}

typedef bool (*print_fn)(
    struct pv_inspect_lines *lines, struct page *page, const char *type);

/* NULL: such a type has no links. */
static print_fn printer_of(const char *given)
{
	static const struct {
		struct pv_str type;
		print_fn print;
	} printers[] = {
	    {PV_STR("text/html"), print_page},
	    {PV_STR("application/xhtml+xml"), print_xml_page},
	    {PV_STR("image/svg+xml"), print_xml_page},
	    {PV_STR("text/css"), print_sheet},
	    {PV_STR("application/rss+xml"), print_feed},
	    {PV_STR("application/atom+xml"), print_feed},
	    {PV_STR("application/rdf+xml"), print_feed},
	    {PV_STR("application/xml"), print_feed},
	    {PV_STR("text/xml"), print_feed},
	    {PV_STR("application/manifest+json"), print_manifest},
	};
	struct pv_media_type type;
	if (!given)
		return print_any;
	if (!pv_media_type_read(pv_str_of(given), &type))
		return NULL;
	for (size_t i = 0; i < sizeof(printers) / sizeof(*printers); i++) {
		if (pv_media_type_is(&type, printers[i].type))
			return printers[i].print;
	}
	return NULL;
}

static enum pavane_answer inspect_links(const char *file, const char *base,
    const char *type, const struct pv_inspect_taker *taker)
{
	struct page page;
	struct pv_inspect_lines lines;
	print_fn print = printer_of(type);
	enum pavane_answer answer = page_open(&page, file, base);
	pv_inspect_lines_init(&lines, taker);
	if (answer == PAVANE_YES && !(print && print(&lines, &page, type)))
		answer = PAVANE_OTHER_TYPE;
	pv_inspect_lines_finish(&lines);
	page_close(&page);
	return answer;
}

enum pavane_answer pavane_inspect_links(const char *file, const char *base,
    const char *type, pavane_write_fn write, void *ctx)
{
	const struct pv_inspect_taker taker = {.write = write, .ctx = ctx};
	return inspect_links(file, base, type, &taker);
}

enum pavane_answer pavane_inspect_links_values(const char *file,
    const char *base, const char *type, pavane_found_fn entry, void *ctx)
{
	const struct pv_inspect_taker taker = {.entry = entry, .ctx = ctx};
	return inspect_links(file, base, type, &taker);
}

/* Sitemaps */

struct entries {
	struct pv_inspect_lines lines;
	size_t elsewhere;
};

/* A sitemap speaks for its own host alone. */
static void print_entry(void *ctx, const struct pv_sitemap_entry *entry)
{
	struct entries *entries = ctx;
	if (entry->is_elsewhere)
		entries->elsewhere++;
	else
		pv_inspect_lines_print(&entries->lines,
		    entry->is_sitemap ? "sitemap" : "page",
		    pv_url_page(entry->url));
}

/* One line of what was left out, and why; empty if nothing was. */
static void describe(const struct pv_sitemap_result *result,
    const struct entries *entries, struct pv_buf *line)
{
	const char *mark = "";
	if (result->end != PV_SITEMAP_WHOLE) {
		pv_buf_append_text(line, pv_sitemap_word(result->end));
		mark = "; ";
	}
	if (result->skipped) {
		pv_buf_append_format(line,
		    "%sentries without a valid "
		    "address: %zu",
		    mark, result->skipped);
		mark = "; ";
	}
	if (entries->elsewhere)
		pv_buf_append_format(line, "%sentries on another host: %zu",
		    mark, entries->elsewhere);
}

/* What is in gzip its type does not tell. */
static bool may_be_text(const char *given)
{
	static const char *const types[] = {"text/plain", "application/gzip",
	    "application/x-gzip", "application/x-gunzip",
	    "application/octet-stream"};
	struct pv_media_type type;
	return !given || (pv_media_type_read(pv_str_of(given), &type) &&
			     pv_media_type_is_among(type.name, types,
				 sizeof(types) / sizeof(*types)));
}

static enum pavane_answer print_entries(
    struct page *page, const struct pavane_sitemap_options *options)
{
	struct pv_buf line;
	const char *given = options->type;
	struct entries entries = {.elsewhere = 0};
	const struct pv_sitemap_source source = {
	    .file = pv_buf_str(&page->text),
	    .address = &page->base,
	    .charset = charset_of(given),
	    .may_be_text = may_be_text(given),
	};
	const struct pv_inspect_taker taker = {
	    .entry = options->entry,
	    .write = options->write,
	    .ctx = options->ctx,
	};
	pv_inspect_lines_init(&entries.lines, &taker);
	struct pv_sitemap_result result =
	    pv_sitemap_read(&source, &page->room, print_entry, &entries);
	pv_inspect_lines_finish(&entries.lines);
	pv_buf_init(&line, 1024);
	describe(&result, &entries, &line);
	bool is_none = result.kind == PV_SITEMAP_NONE;
	bool is_told =
	    line.len && (!is_none || result.end == PV_SITEMAP_DOCTYPE);
	if (is_told && options->on_line)
		options->on_line(
		    options->ctx, PAVANE_WARNING, pv_buf_text(&line));
	pv_buf_finish(&line);
	return is_none ? PAVANE_OTHER_TYPE : PAVANE_YES;
}

enum pavane_answer pavane_inspect_sitemap(
    const struct pavane_sitemap_options *given)
{
	struct pavane_sitemap_options own, *options = &own;
	struct page page;
	if (!pv_sized_read(options, sizeof(own), given))
		return PAVANE_WRONG;
	enum pavane_answer answer =
	    page_open(&page, options->file, options->base);
	if (answer == PAVANE_YES)
		answer = print_entries(&page, options);
	page_close(&page);
	return answer;
}
