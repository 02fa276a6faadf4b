#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/visible.h"
#include "http/media_type.h"
#include "parse/joiner.h"
#include "parse/sitemap_text.h"
#include "pavane/pavane.h"
#include "policy/units.h"
#include "robots/matcher.h"
#include "url/encoder.h"

/* How we read one thing, for those who write policies and tests. */

#define ADDRESS_MAX ((size_t)1 << 20)
#define FILE_MAX ((size_t)64 << 20)
#define LINKS_MAX 1000000

/* Lines that are printed once each. */
struct lines {
	pavane_write_fn write;
	void *ctx;
	struct pv_map known;
	struct pv_arena texts;
};

static void print_once(
    struct lines *lines, const char *word, struct pv_str text)
{
	struct pv_buf line;
	pv_buf_init(&line, ADDRESS_MAX + 64);
	pv_buf_append_format(&line, "%s\t", word);
	pv_buf_append(&line, text);
	pv_buf_append_char(&line, '\n');
	struct pv_str kept = pv_buf_str(&line);
	if (!pv_map_get(&lines->known, kept)) {
		pv_map_add(
		    &lines->known, pv_arena_copy(&lines->texts, kept), 0);
		lines->write(lines->ctx, kept.ptr, kept.len);
	}
	pv_buf_finish(&line);
}

static struct lines lines_begin(pavane_write_fn write, void *ctx)
{
	struct lines lines = {.write = write, .ctx = ctx};
	pv_map_init(&lines.known, (struct pv_hash_key){{0}});
	pv_arena_init(&lines.texts);
	return lines;
}

static void lines_end(struct lines *lines)
{
	pv_map_finish(&lines->known);
	pv_arena_finish(&lines->texts);
}

enum pavane_answer pavane_inspect_url(const char *base, const char *reference,
    const char *encoding, pavane_write_fn write, void *ctx)
{
	struct pv_url from;
	struct pv_url url;
	struct pv_encoder encoder;
	bool has_base = strcmp(base, "-") != 0;
	enum pavane_answer answer = PAVANE_NO;
	pv_url_init(&from, ADDRESS_MAX);
	pv_url_init(&url, ADDRESS_MAX);
	pv_encoder_init(&encoder, pv_str_of(encoding ? encoding : "utf-8"));
	if ((!has_base || pv_url_parse(&from, pv_str_of(base)) == PV_URL_OK) &&
	    pv_url_join(&url, has_base ? &from : NULL, pv_str_of(reference),
		&encoder) == PV_URL_OK) {
		pv_buf_append_char(&url.text, '\n');
		write(ctx, pv_buf_text(&url.text), url.text.len);
		answer = PAVANE_YES;
	}
	pv_encoder_finish(&encoder);
	pv_url_finish(&url);
	pv_url_finish(&from);
	return answer;
}

/* Reads the file; false, with errno set, if it cannot be read. What is beyond
 * the buffer's ceiling is left out. */
static bool read_file(const char *path, struct pv_buf *text, bool *is_cut)
{
	enum pv_file_read result = pv_file_read(path, text);
	*is_cut = result == PV_FILE_TOO_LARGE;
	return result != PV_FILE_FAILED;
}

/* Robots */

static enum pavane_answer print_decision(
    const struct pv_robots_matcher *matcher, const char *address,
    pavane_write_fn write, void *ctx)
{
	struct pv_url url;
	struct pv_buf line;
	enum pavane_answer answer = PAVANE_WRONG;
	pv_url_init(&url, ADDRESS_MAX);
	pv_buf_init(&line, ADDRESS_MAX);
	struct pv_str target = pv_str_of(address);
	if (address[0] == '/')
		answer = PAVANE_YES;
	else if (pv_url_parse(&url, target) == PV_URL_OK)
		answer = PAVANE_YES;
	if (answer == PAVANE_YES) {
		struct pv_robots_decision decision = pv_robots_decide(
		    matcher, address[0] == '/' ? target : pv_url_target(&url));
		answer = decision.is_allowed ? PAVANE_YES : PAVANE_NO;
		pv_buf_append_text(
		    &line, decision.is_allowed ? "allow\t" : "disallow\t");
		pv_visible_append(&line, decision.line);
		pv_buf_append_char(&line, '\n');
		write(ctx, pv_buf_text(&line), line.len);
	}
	pv_buf_finish(&line);
	pv_url_finish(&url);
	return answer;
}

static void print_facts(const struct pv_robots *robots,
    const struct pv_robots_matcher *matcher, pavane_write_fn write, void *ctx)
{
	struct lines lines = lines_begin(write, ctx);
	int64_t delay_ms = pv_robots_delay_ms(matcher);
	struct pv_buf seconds;
	pv_buf_init(&seconds, 64);
	pv_decimal_write((double)delay_ms / 1000, &seconds);
	if (delay_ms)
		print_once(&lines, "delay", pv_buf_str(&seconds));
	for (size_t i = 0; i < robots->sitemaps.count; i++)
		print_once(&lines, "sitemap", robots->sitemaps.items[i]);
	pv_buf_finish(&seconds);
	lines_end(&lines);
}

enum pavane_answer pavane_inspect_robots(const char *file, const char *agent,
    const char *address, pavane_write_fn write, void *ctx)
{
	struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_buf text;
	bool is_cut;
	enum pavane_answer answer = PAVANE_UNREADABLE;
	pv_buf_init(&text, ceilings.bytes);
	if (read_file(file, &text, &is_cut)) {
		struct pv_robots *robots = pv_robots_create(
		    pv_buf_str(&text), is_cut, &ceilings, NULL);
		struct pv_robots_matcher *matcher =
		    pv_robots_matcher_create(robots, pv_str_of(agent));
		answer = PAVANE_YES;
		if (address)
			answer = print_decision(matcher, address, write, ctx);
		else
			print_facts(robots, matcher, write, ctx);
		pv_robots_matcher_destroy(matcher);
		pv_robots_destroy(robots);
	}
	int saved = errno;
	pv_buf_finish(&text);
	errno = saved;
	return answer;
}

/* Links and sitemaps: a file, and the address that it was found at */

struct page {
	struct pv_buf text;
	struct pv_url base;
};

static enum pavane_answer page_open(
    struct page *page, const char *file, const char *base)
{
	bool is_cut;
	pv_buf_init(&page->text, FILE_MAX);
	pv_url_init(&page->base, ADDRESS_MAX);
	if (pv_url_parse(&page->base, pv_str_of(base)) != PV_URL_OK)
		return PAVANE_WRONG;
	return read_file(file, &page->text, &is_cut) ? PAVANE_YES
						     : PAVANE_UNREADABLE;
}

static void page_close(struct page *page)
{
	int saved = errno;
	pv_buf_finish(&page->text);
	pv_url_finish(&page->base);
	errno = saved;
}

static bool is_type(const char *given, const char *const *types)
{
	struct pv_media_type type;
	if (!given)
		return true;
	if (!pv_media_type_read(pv_str_of(given), &type))
		return false;
	for (; *types; types++) {
		if (pv_media_type_is(&type, pv_str_of(*types)))
			return true;
	}
	return false;
}

static void read_links(
    struct pv_links *links, const struct page *page, const char *type)
{
	static const char *const sheets[] = {"text/css", NULL};
	const struct pv_page_facts facts = {
	    .charset = pv_charset_label(pv_str_of(type ? type : "")),
	};
	if (type && is_type(type, sheets))
		pv_links_read_sheet(links, pv_buf_str(&page->text), &facts);
	else
		pv_links_read(links, pv_buf_str(&page->text), &facts);
}

static void print_links(
    const struct page *page, const char *type, pavane_write_fn write, void *ctx)
{
	struct pv_links links;
	struct pv_joiner joiner;
	struct pv_url url;
	struct lines lines = lines_begin(write, ctx);
	pv_links_init(&links, LINKS_MAX, FILE_MAX);
	pv_joiner_init(&joiner, ADDRESS_MAX);
	pv_url_init(&url, ADDRESS_MAX);
	read_links(&links, page, type);
	pv_joiner_turn(&joiner, &links, &page->base);
	for (size_t i = 0; i < links.count; i++) {
		const struct pv_page_link *link = &links.items[i];
		if (pv_joiner_join(&joiner, &url, link) == PV_URL_OK)
			print_once(&lines, link->is_page ? "page" : "resource",
			    pv_url_page(&url));
	}
	pv_url_finish(&url);
	pv_joiner_finish(&joiner);
	pv_links_finish(&links);
	lines_end(&lines);
}

enum pavane_answer pavane_inspect_links(const char *file, const char *base,
    const char *type, pavane_write_fn write, void *ctx)
{
	static const char *const types[] = {
	    "text/html", "application/xhtml+xml", "text/css", NULL};
	struct page page;
	enum pavane_answer answer = page_open(&page, file, base);
	if (answer == PAVANE_YES && !is_type(type, types))
		answer = PAVANE_OTHER_TYPE;
	if (answer == PAVANE_YES)
		print_links(&page, type, write, ctx);
	page_close(&page);
	return answer;
}

enum pavane_answer pavane_inspect_sitemap(const char *file, const char *base,
    const char *type, pavane_write_fn write, void *ctx)
{
	static const char *const types[] = {"text/plain", NULL};
	struct page page;
	enum pavane_answer answer = page_open(&page, file, base);
	bool is_markup = page.text.len && page.text.ptr[0] == '<';
	if (answer == PAVANE_YES && (is_markup || !is_type(type, types)))
		answer = PAVANE_OTHER_TYPE;
	if (answer == PAVANE_YES) {
		struct pv_sitemap_text sitemap;
		struct pv_url url;
		struct lines lines = lines_begin(write, ctx);
		pv_url_init(&url, ADDRESS_MAX);
		pv_sitemap_text_init(&sitemap, pv_buf_str(&page.text));
		while (pv_sitemap_text_next(&sitemap, &url))
			print_once(&lines, "page", pv_url_page(&url));
		pv_url_finish(&url);
		lines_end(&lines);
	}
	page_close(&page);
	return answer;
}
