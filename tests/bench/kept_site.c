#include "bench/kept_site.h"

#include "base/reader.h"
#include "random.h"

#define LINKS 40
#define PARTS 20
#define IMAGES 8
#define IMAGES_A_PAGE 3
#define IMAGE_BYTES 12000
#define PAGE_BYTES_LEAST (8 * 1024)
#define PAGE_BYTES_MOST (30 * 1024)
#define TEXT_MAX (1u << 20)

/* What stands between two links. */
static const char words[] =
    "We came by the road along the river, <em>slowly</em>, and whoever was at "
    "home let us in; where nobody was, we left a line at the door &amp; went "
    "on to the next house.\n";

static uint32_t part_of(uint32_t page)
{
	return page % PARTS;
}

/* As people write them: from the root, from here, and in the same directory. */
static void append_link(struct pv_buf *text, uint32_t from, uint32_t to)
{
	bool is_near = from && part_of(from) == part_of(to);
	const char *above = from && to % 2 ? "../" : "/";
	if (!to)
		pv_buf_append_text(text, "<a href=\"/\">");
	else if (is_near)
		pv_buf_append_format(text, "<a href=\"page-%u.html\">", to);
	else
		pv_buf_append_format(text,
		    "<a href=\"%spart-%u/page-%u.html\">", above, part_of(to),
		    to);
	pv_buf_append_format(text, "page %u</a>\n", to);
}

static void append_head(struct pv_buf *text, uint32_t page)
{
	pv_buf_append_format(text,
	    "<!doctype html>\n<html><head><title>page %u</title>\n"
	    "<link rel=\"stylesheet\" href=\"/style/site.css\">\n"
	    "</head><body>\n",
	    page);
	for (uint32_t i = 0; i < IMAGES_A_PAGE; i++)
		pv_buf_append_format(text,
		    "<img src=\"/images/%u.png\" alt=\"\">\n",
		    (page + i) % IMAGES);
}

static void write_page(
    const struct kept_site *site, uint32_t page, struct pv_buf *text)
{
	uint32_t links[SITE_LINKS_MAX];
	struct random random = random_of(page);
	size_t count = site_links(&site->shape, page, links);
	size_t size = PAGE_BYTES_LEAST +
		      random_below(&random, PAGE_BYTES_MOST - PAGE_BYTES_LEAST);
	append_head(text, page);
	for (size_t i = 0; i < count; i++) {
		pv_buf_append_text(text, "<p>");
		append_link(text, page, links[i]);
		while (text->len < size * (i + 1) / count)
			pv_buf_append(text, PV_STR(words));
		pv_buf_append_text(text, "</p>\n");
	}
	pv_buf_append_text(text, "</body></html>\n");
}

static void write_sheet(struct pv_buf *text)
{
	pv_buf_append_text(text, "body { background: url(/images/0.png) }\n");
	for (uint32_t i = 1; i < IMAGES; i++)
		pv_buf_append_format(text,
		    ".kind-%u { background: url(\"../images/%u.png\") }\n", i,
		    i);
}

void kept_site_init(struct kept_site *site, uint32_t pages)
{
	struct pv_buf text;
	*site = (struct kept_site){.shape = {.pages = pages, .links = LINKS}};
	pv_arena_init(&site->texts);
	pv_buf_init(&text, TEXT_MAX);
	site->pages =
	    pv_arena_give_array(&site->texts, pages, sizeof(*site->pages));
	for (uint32_t i = 0; i < pages; i++) {
		pv_buf_clear(&text);
		write_page(site, i, &text);
		site->pages[i] = pv_arena_text(&site->texts, pv_buf_str(&text));
	}
	pv_buf_clear(&text);
	write_sheet(&text);
	site->sheet = pv_arena_text(&site->texts, pv_buf_str(&text));
	pv_buf_finish(&text);
}

void kept_site_finish(struct kept_site *site)
{
	pv_arena_finish(&site->texts);
}

size_t kept_site_count(const struct kept_site *site)
{
	return (size_t)site->shape.pages + 1 + IMAGES;
}

static bool find_page(
    const struct kept_site *site, struct pv_str path, uint64_t *page)
{
	uint64_t part;
	struct pv_reader reader = pv_reader_of(path);
	*page = 0;
	if (pv_str_equal(path, PV_STR("/")))
		return true;
	return pv_reader_accept_str(&reader, PV_STR("/part-")) &&
	       pv_reader_take_number(&reader, PARTS - 1, &part) &&
	       pv_reader_accept_str(&reader, PV_STR("/page-")) &&
	       pv_reader_take_number(&reader, site->shape.pages - 1, page) &&
	       *page && part == part_of((uint32_t)*page) &&
	       pv_str_equal(pv_reader_rest(&reader), PV_STR(".html"));
}

static bool is_image(struct pv_str path)
{
	uint64_t number;
	struct pv_reader reader = pv_reader_of(path);
	return pv_reader_accept_str(&reader, PV_STR("/images/")) &&
	       pv_reader_take_number(&reader, IMAGES - 1, &number) &&
	       pv_str_equal(pv_reader_rest(&reader), PV_STR(".png"));
}

bool kept_site_answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	const struct kept_site *site = ctx;
	uint64_t page;
	if (find_page(site, request->path, &page)) {
		answer->body = site->pages[page];
	} else if (pv_str_equal(request->path, PV_STR("/style/site.css"))) {
		answer->type = "text/css";
		answer->body = site->sheet;
	} else if (is_image(request->path)) {
		answer->type = "image/png";
		answer->kind = SERVER_PATTERN;
		answer->size = IMAGE_BYTES;
	} else {
		return false;
	}
	return true;
}
