#include "fields/finds.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/json/json_pointer.h"
#include "base/pattern/regex.h"
#include "tree/text.h"

void pv_finds_init(struct pv_finds *finds, size_t ceiling)
{
	*finds = (struct pv_finds){.ceiling = ceiling};
}

void pv_finds_finish(struct pv_finds *finds)
{
	free(finds->items);
	*finds = (struct pv_finds){0};
}

static bool add(struct pv_finds *finds, struct pv_find find)
{
	if (finds->count == finds->ceiling) {
		finds->is_full = true;
		return false;
	}
	*PV_ARRAY_PUSH(finds->items, finds->count, finds->size) = find;
	return true;
}

static void add_text(struct pv_finds *finds, struct pv_str text)
{
	if (text.ptr)
		add(finds,
		    (struct pv_find){.kind = PV_FIND_TEXT, .text = text});
}

/* In the tree */

static void add_matches(struct pv_finds *finds,
    const struct pv_matches *matches, struct pv_arena *arena)
{
	for (size_t i = 0; i < matches->count; i++) {
		const struct pv_match *match = &matches->items[i];
		struct pv_find find = {
		    .kind = PV_FIND_ELEMENT, .element = match->node};
		if (!match->node) {
			find.kind = PV_FIND_TEXT;
			find.text = pv_arena_copy(arena, match->text);
			find.element = match->owner;
		}
		if (!add(finds, find))
			return;
	}
	finds->is_full |= matches->is_full;
}

static void find_in_tree(struct pv_finds *finds, struct pv_row_page *page,
    const struct pv_source *source, const struct pv_find *context,
    struct pv_arena *arena)
{
	const struct pv_tree *tree = pv_row_page_tree(page);
	struct pv_matches matches;
	if (context && !context->element)
		return;
	pv_matches_init(&matches, finds->ceiling);
	if (source->kind == PV_SOURCE_META)
		pv_tree_meta(tree, pv_str_of(source->text), &matches);
	else if (pv_expression_evaluate(source->expression, tree,
		     context ? context->element : NULL, &page->budget,
		     &matches) == PV_EVALUATION_GAVE_UP)
		finds->has_given_up = true;
	add_matches(finds, &matches, arena);
	pv_matches_finish(&matches);
}

/* In JSON */

static void point(struct pv_finds *finds, const struct pv_source *source,
    const struct pv_json *value)
{
	struct pv_json_list list;
	if (!value)
		return;
	pv_json_list_init(&list);
	pv_json_pointer_find(source->pointer, value, &list);
	for (size_t i = 0; i < list.count; i++) {
		const struct pv_find find = {
		    .kind = PV_FIND_JSON, .json = list.items[i]};
		if (pv_json_page_kind(list.items[i]) != PV_JSON_NULL &&
		    !add(finds, find))
			break;
	}
	finds->is_full |= list.is_full;
	pv_json_list_finish(&list);
}

static void find_in_json(struct pv_finds *finds, struct pv_row_page *page,
    const struct pv_source *source, const struct pv_find *context)
{
	if (context && context->json) {
		point(finds, source, context->json);
	} else if (source->place == PV_JSON_LD) {
		const struct pv_json_list *nodes =
		    pv_row_page_ld(page, source->of);
		for (size_t i = 0; i < nodes->count; i++)
			point(finds, source, nodes->items[i]);
	} else if (source->place == PV_JSON_SCRIPT) {
		point(finds, source, pv_row_page_script(page, source->after));
	} else {
		point(finds, source, pv_row_page_json(page));
	}
}

/* Beside the page */

static void find_headers(
    struct pv_finds *finds, const struct pv_row_page *page, const char *name)
{
	struct pv_str value;
	size_t at = 0;
	while (page->headers &&
	       pv_headers_next(page->headers, pv_str_of(name), &at, &value))
		add_text(finds, value);
}

/* The values of a parameter of the query, as they stand there. */
static void find_parameter(
    struct pv_finds *finds, struct pv_str query, struct pv_str name)
{
	while (query.len) {
		size_t end = pv_str_find(query, '&');
		struct pv_str part =
		    pv_str_head(query, end < query.len ? end : query.len);
		size_t equals = pv_str_find(part, '=');
		size_t name_end = equals < part.len ? equals : part.len;
		if (pv_str_equal(pv_str_head(part, name_end), name))
			add_text(finds, equals < part.len
					    ? pv_str_from(part, equals + 1)
					    : PV_STR(""));
		query = part.len < query.len ? pv_str_from(query, part.len + 1)
					     : PV_STR("");
	}
}

static struct pv_str query_of(const struct pv_url *url)
{
	struct pv_str target = pv_url_target(url);
	size_t mark = pv_str_find(target, '?');
	return mark < target.len ? pv_str_from(target, mark + 1) : PV_STR("");
}

static void find_in_url(struct pv_finds *finds, const struct pv_row_page *page,
    const struct pv_source *source)
{
	switch (source->url_part) {
	case PV_URL_WHOLE:
		add_text(finds, pv_url_page(page->url));
		break;
	case PV_URL_HOST:
		add_text(finds, pv_url_host(page->url));
		break;
	case PV_URL_PATH:
		add_text(finds, pv_url_path(page->url));
		break;
	case PV_URL_QUERY:
		add_text(finds, query_of(page->url));
		break;
	case PV_URL_PARAMETER:
		find_parameter(
		    finds, query_of(page->url), pv_str_of(source->text));
		break;
	}
}

/* The step behind */

static void search(struct pv_finds *finds, struct pv_row_page *page,
    const struct pv_regex *regex, struct pv_str text)
{
	struct pv_regex_search *found =
	    pv_regex_search_create(regex, text, &page->regex_budget);
	enum pv_pattern_match match;
	struct pv_str value;
	do {
		match = pv_regex_search_next(found, &value);
		if (match == PV_PATTERN_YES)
			add_text(finds, value);
	} while (match == PV_PATTERN_YES && !finds->is_full);
	finds->has_given_up |= match == PV_PATTERN_GAVE_UP;
	pv_regex_search_destroy(found);
}

static void search_all(struct pv_finds *finds, struct pv_row_page *page,
    const struct pv_regex *regex, struct pv_arena *arena)
{
	struct pv_finds found;
	pv_finds_init(&found, finds->ceiling);
	found.has_given_up = finds->has_given_up;
	found.is_full = finds->is_full;
	for (size_t i = 0; i < finds->count; i++) {
		struct pv_str text;
		if (pv_find_text(&finds->items[i], page, false, arena, &text))
			search(&found, page, regex, text);
		else
			found.has_given_up = true;
	}
	pv_finds_finish(finds);
	*finds = found;
}

void pv_finds_read(struct pv_finds *finds, struct pv_row_page *page,
    const struct pv_source *source, const struct pv_find *context,
    struct pv_arena *arena)
{
	finds->count = 0;
	finds->is_full = finds->has_given_up = false;
	switch (source->kind) {
	case PV_SOURCE_CSS:
	case PV_SOURCE_XPATH:
	case PV_SOURCE_META:
		find_in_tree(finds, page, source, context, arena);
		break;
	case PV_SOURCE_JSON:
		find_in_json(finds, page, source, context);
		break;
	case PV_SOURCE_HEADER:
		find_headers(finds, page, source->text);
		break;
	case PV_SOURCE_URL:
		find_in_url(finds, page, source);
		break;
	case PV_SOURCE_REGEX:
		search(finds, page, source->regex, page->text);
		return;
	}
	if (source->regex)
		search_all(finds, page, source->regex, arena);
}

bool pv_find_text(const struct pv_find *find, struct pv_row_page *page,
    bool is_html, struct pv_arena *arena, struct pv_str *text)
{
	struct pv_buf buf;
	if (find->kind == PV_FIND_TEXT) {
		*text = find->text;
		return true;
	}
	pv_buf_init(&buf, page->ceilings.page_bytes);
	if (find->kind == PV_FIND_ELEMENT && is_html) {
		pv_tree_html(find->element, &buf);
	} else if (find->kind == PV_FIND_ELEMENT) {
		pv_tree_text(find->element, &buf);
	} else {
		enum pv_json_kind kind = pv_json_page_kind(find->json);
		if (kind == PV_JSON_ARRAY || kind == PV_JSON_OBJECT)
			pv_json_page_write(find->json, &buf);
		else
			pv_buf_append(&buf, pv_json_page_text(find->json));
	}
	bool is_paid = pv_tree_budget_take_bytes(&page->budget, buf.len);
	if (is_paid)
		*text = pv_arena_copy(arena, pv_buf_str(&buf));
	pv_buf_finish(&buf);
	return is_paid;
}
