#include "trial/page_names.h"

#include <string.h>

#include "base/json/json.h"
#include "base/nearest.h"
#include "base/visible.h"

/* So many are named. */
#define NAMED_MAX 8

struct names {
	const char *items[NAMED_MAX]; /* the first ones */
	size_t count;
	size_t all;
	struct pv_nearest nearest;
	struct pv_arena arena;
};

static bool has(const struct names *names, struct pv_str name)
{
	for (size_t i = 0; i < names->count; i++) {
		if (pv_str_equal(pv_str_of(names->items[i]), name))
			return true;
	}
	return false;
}

static void add(struct names *names, struct pv_str name)
{
	const char *text;
	if (!name.len || has(names, name))
		return;
	text = pv_arena_text(&names->arena, name);
	pv_nearest_offer(&names->nearest, text);
	names->all++;
	if (names->count < NAMED_MAX)
		names->items[names->count++] = text;
}

/* Those of one attribute of meta elements. */
static void add_attribute(
    struct names *names, struct pv_row_page *page, struct pv_str selector)
{
	struct pv_expression_fault fault = {.text = ""};
	struct pv_expression *expression =
	    pv_expression_create(PV_EXPRESSION_CSS, selector, &fault);
	struct pv_matches matches;
	if (!expression)
		return;
	pv_matches_init(&matches, page->ceilings.rows);
	pv_expression_evaluate(
	    expression, pv_row_page_tree(page), NULL, &page->budget, &matches);
	for (size_t i = 0; i < matches.count; i++)
		add(names, matches.items[i].text);
	pv_matches_finish(&matches);
	pv_expression_destroy(expression);
}

static void add_metas(struct names *names, struct pv_row_page *page)
{
	static const struct pv_str selectors[] = {
	    PV_STR("meta::attr(name)"),
	    PV_STR("meta::attr(property)"),
	    PV_STR("meta::attr(itemprop)"),
	    PV_STR("meta::attr(http-equiv)"),
	};
	for (size_t i = 0; i < sizeof(selectors) / sizeof(*selectors); i++)
		add_attribute(names, page, selectors[i]);
}

static void add_headers(struct names *names, const struct pv_row_page *page)
{
	for (size_t i = 0; page->headers && i < page->headers->count; i++)
		add(names, pv_headers_at(page->headers, i).name);
}

static void add_parameters(struct names *names, const struct pv_row_page *page)
{
	struct pv_str target = pv_url_target(page->url);
	size_t mark = pv_str_find(target, '?');
	struct pv_str rest =
	    mark < target.len ? pv_str_from(target, mark + 1) : PV_STR("");
	while (rest.len) {
		size_t end = pv_str_find(rest, '&');
		struct pv_str part =
		    end < rest.len ? pv_str_head(rest, end) : rest;
		size_t equals = pv_str_find(part, '=');
		add(names,
		    equals < part.len ? pv_str_head(part, equals) : part);
		rest = part.len < rest.len ? pv_str_from(rest, part.len + 1)
					   : PV_STR("");
	}
}

static void add_types(struct names *names, struct pv_row_page *page)
{
	const struct pv_json_list *nodes = pv_row_page_ld(page, NULL);
	for (size_t i = 0; i < nodes->count; i++) {
		const struct pv_json *type =
		    pv_json_page_member(nodes->items[i], PV_STR("@type"));
		if (!type)
			continue;
		add(names, pv_json_page_text(type));
		for (size_t j = 0; j < pv_json_count(type); j++)
			add(names, pv_json_page_text(pv_json_at(type, j)));
	}
}

static void write(const struct names *names, struct pv_buf *near)
{
	if (names->nearest.word) {
		pv_buf_append_text(near, "; is it ");
		pv_visible_append(near, pv_str_of(names->nearest.word));
		pv_buf_append_char(near, '?');
		return;
	}
	for (size_t i = 0; i < names->count; i++) {
		bool is_last = i + 1 == names->all && i;
		pv_buf_append_text(near, i == 0    ? "; it has "
					 : is_last ? " and "
						   : ", ");
		pv_visible_append(near, pv_str_of(names->items[i]));
	}
	if (names->all > names->count)
		pv_buf_append_format(
		    near, " and %zu more", names->all - names->count);
}

void pv_page_names_write(struct pv_row_page *page, enum pv_page_names sort,
    const char *written, struct pv_buf *near)
{
	struct names names = {
	    .nearest = pv_nearest_to(pv_str_of(written ? written : ""))};
	pv_arena_init(&names.arena);
	switch (sort) {
	case PV_PAGE_NAMES_META:
		add_metas(&names, page);
		break;
	case PV_PAGE_NAMES_HEADER:
		add_headers(&names, page);
		break;
	case PV_PAGE_NAMES_PARAMETER:
		add_parameters(&names, page);
		break;
	case PV_PAGE_NAMES_LD:
		add_types(&names, page);
		break;
	}
	write(&names, near);
	pv_arena_finish(&names.arena);
}
