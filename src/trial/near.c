#include "trial/near.h"

#include <string.h>

#include "base/json/json_pointer.h"
#include "base/visible.h"
#include "parse/bare_page.h"
#include "trial/page_names.h"
#include "tree/nearest.h"

/* How much of a text is quoted. */
#define QUOTE_MAX 200

static void quote(struct pv_buf *near, struct pv_str text)
{
	bool is_cut = text.len > QUOTE_MAX;
	pv_buf_append_char(near, '"');
	pv_visible_append(near, is_cut ? pv_str_head(text, QUOTE_MAX) : text);
	pv_buf_append_text(near, is_cut ? "...\"" : "\"");
}

/* Sources */

static void write_tree(struct pv_row_page *page, const struct pv_source *source,
    const struct pv_find *context, struct pv_buf *near)
{
	if (context && !context->element) {
		pv_buf_append_text(near,
		    "its records are JSON, in which no element is found: use "
		    "json");
		return;
	}
	pv_expression_nearest(source->expression, pv_row_page_tree(page),
	    context ? context->element : NULL, near);
	if (pv_page_is_bare(page->text))
		pv_buf_append_text(
		    near, "; the page shows nothing without scripts");
}

static void point(const struct pv_source *source, const struct pv_json *value,
    const char *missing, struct pv_buf *near)
{
	if (value)
		pv_json_pointer_nearest(source->pointer, value, near);
	else
		pv_buf_append_text(near, missing);
}

static void write_ld(struct pv_row_page *page, const struct pv_source *source,
    struct pv_buf *near)
{
	const struct pv_json_list *nodes = pv_row_page_ld(page, source->of);
	if (nodes->count) {
		point(source, nodes->items[0], "", near);
		return;
	}
	if (!page->block_count) {
		pv_buf_append_text(near, "the page has no JSON-LD");
		return;
	}
	pv_buf_append_text(near, "the page has JSON-LD, but none of the type ");
	pv_visible_append(near, pv_str_of(source->of ? source->of : ""));
	pv_page_names_write(page, PV_PAGE_NAMES_LD, source->of, near);
}

static void write_script(struct pv_row_page *page,
    const struct pv_source *source, struct pv_buf *near)
{
	const struct pv_json *value = pv_row_page_script(page, source->after);
	if (value) {
		point(source, value, "", near);
		return;
	}
	pv_buf_append_text(near, "no script has JSON behind ");
	quote(near, pv_str_of(source->after));
}

static void write_json(struct pv_row_page *page, const struct pv_source *source,
    const struct pv_find *context, struct pv_buf *near)
{
	if (context && context->json)
		point(source, context->json, "", near);
	else if (source->place == PV_JSON_LD)
		write_ld(page, source, near);
	else if (source->place == PV_JSON_SCRIPT)
		write_script(page, source, near);
	else
		point(source, pv_row_page_json(page),
		    "the page is not JSON: write where it stands, such as "
		    "in: ld",
		    near);
}

static void write_name(struct pv_row_page *page, const struct pv_source *source,
    const char *what, enum pv_page_names names, struct pv_buf *near)
{
	pv_buf_append_format(near, "the page has no %s ", what);
	pv_visible_append(near, pv_str_of(source->text));
	pv_page_names_write(page, names, source->text, near);
}

static void write_url(struct pv_row_page *page, const struct pv_source *source,
    struct pv_buf *near)
{
	if (source->url_part != PV_URL_PARAMETER) {
		pv_buf_append_text(near, "the address has no such part");
		return;
	}
	pv_buf_append_text(near, "the address has no parameter ");
	pv_visible_append(near, pv_str_of(source->text));
	pv_page_names_write(page, PV_PAGE_NAMES_PARAMETER, source->text, near);
}

static void write_header(struct pv_row_page *page,
    const struct pv_source *source, struct pv_buf *near)
{
	if (page->headers)
		write_name(page, source, "header", PV_PAGE_NAMES_HEADER, near);
	else
		pv_buf_append_text(near,
		    "headers come with an answer only, and are not stored");
}

static void write_regex(const struct pv_source *source, struct pv_buf *near)
{
	quote(near, pv_str_of(source->regex_text));
	pv_buf_append_text(near, " matches nothing");
}

static void write_plain(struct pv_row_page *page,
    const struct pv_source *source, const struct pv_find *context,
    struct pv_buf *near)
{
	switch (source->kind) {
	case PV_SOURCE_CSS:
	case PV_SOURCE_XPATH:
		write_tree(page, source, context, near);
		break;
	case PV_SOURCE_META:
		write_name(page, source, "meta", PV_PAGE_NAMES_META, near);
		break;
	case PV_SOURCE_JSON:
		write_json(page, source, context, near);
		break;
	case PV_SOURCE_HEADER:
		write_header(page, source, near);
		break;
	case PV_SOURCE_URL:
		write_url(page, source, near);
		break;
	case PV_SOURCE_REGEX:
		write_regex(source, near);
		break;
	}
}

static void write_times(size_t count, struct pv_buf *near)
{
	if (count == 1)
		pv_buf_append_text(near, " finds one value");
	else
		pv_buf_append_format(near, " finds %zu values", count);
}

/* Something is found, and nothing comes of it: the pattern behind it finds
 * nothing there, or there is no text. */
static void write_found(struct pv_row_page *page,
    const struct pv_source *source, const struct pv_finds *finds,
    struct pv_buf *near)
{
	struct pv_arena arena;
	struct pv_str text = PV_STR("");
	pv_arena_init(&arena);
	quote(near, pv_str_of(source->text));
	write_times(finds->count, near);
	if (pv_find_text(&finds->items[0], page, false, &arena, &text))
		text = pv_str_trim(text);
	if (text.len) {
		pv_buf_append_text(near, ", ");
		quote(near, text);
		pv_buf_append_text(near, source->regex ? ", in which " : "");
	} else {
		pv_buf_append_text(near, ", without a text");
		pv_buf_append_text(near, source->regex ? ", in which " : "");
	}
	if (source->regex)
		write_regex(source, near);
	pv_arena_finish(&arena);
}

static size_t count_finds(struct pv_row_page *page,
    const struct pv_source *source, const struct pv_find *context)
{
	struct pv_arena arena;
	struct pv_finds finds;
	pv_arena_init(&arena);
	pv_finds_init(&finds, page->ceilings.rows);
	pv_finds_read(&finds, page, source, context, &arena);
	size_t count = finds.count;
	pv_finds_finish(&finds);
	pv_arena_finish(&arena);
	return count;
}

void pv_near_write_source(struct pv_row_page *page,
    const struct pv_source *source, const struct pv_find *context,
    struct pv_buf *near)
{
	struct pv_source plain = *source;
	struct pv_arena arena;
	struct pv_finds finds;
	page->budget.steps = PV_TREE_STEPS;
	if (source->kind != PV_SOURCE_REGEX)
		plain.regex = NULL;
	pv_arena_init(&arena);
	pv_finds_init(&finds, page->ceilings.rows);
	pv_finds_read(&finds, page, &plain, context, &arena);
	if (finds.count && plain.text)
		write_found(page, source, &finds, near);
	else
		write_plain(page, source, context, near);
	pv_finds_finish(&finds);
	pv_arena_finish(&arena);
}

/* Fields */

struct place {
	struct pv_row_page *page;
	struct pv_arena arena;
	const struct pv_field *field;
	struct pv_find context;
	bool has_context;
};

static const struct pv_field *find_field(
    const struct pv_field *fields, size_t count, struct pv_str name)
{
	for (size_t i = 0; i < count; i++) {
		if (pv_str_equal(pv_str_of(fields[i].name), name))
			return &fields[i];
	}
	return NULL;
}

/* Of a row by its number, from 1; 0: of the first in which the source finds
 * nothing. */
static void enter(struct place *place, const struct pv_source *each,
    uint32_t item, const struct pv_source *source)
{
	struct pv_finds finds;
	pv_finds_init(&finds, place->page->ceilings.rows);
	pv_finds_read(&finds, place->page, each,
	    place->has_context ? &place->context : NULL, &place->arena);
	for (size_t i = 0; i < finds.count; i++) {
		if (item ? i + 1 == item
			 : !count_finds(place->page, source, &finds.items[i])) {
			place->context = finds.items[i];
			place->has_context = true;
			break;
		}
	}
	pv_finds_finish(&finds);
}

/* Where the problem's field is looked for; false if it is no field. */
static bool find_place(
    struct place *place, const struct pv_field_problem *problem)
{
	const struct pv_page_kind *kind = place->page->kind;
	struct pv_str name = pv_str_of(problem->field);
	size_t dot = pv_str_find(name, '.');
	const struct pv_field *outer = find_field(kind->fields,
	    kind->field_count, dot < name.len ? pv_str_head(name, dot) : name);
	if (!outer)
		return false;
	place->field = dot < name.len
			   ? find_field(outer->fields, outer->field_count,
				 pv_str_from(name, dot + 1))
			   : outer;
	if (!place->field)
		return false;
	if (kind->has_each)
		enter(place, &kind->each, problem->item, NULL);
	if (place->field != outer)
		enter(place, &outer->source, 0, &place->field->source);
	return true;
}

static void write_wrong(const struct pv_field *field,
    const struct pv_field_problem *problem, struct pv_buf *near)
{
	const char *word = pv_value_type_word(field->form.type);
	bool has_vowel = strchr("aeiou", word[0]) != NULL;
	quote(near, problem->detail);
	pv_buf_append_format(near, " is not %s %s", has_vowel ? "an" : "a",
	    strcmp(word, "json") == 0 ? "JSON" : word);
}

void pv_near_write(struct pv_row_page *page,
    const struct pv_field_problem *problem, struct pv_buf *near)
{
	struct place place = {.page = page};
	if (!problem->field) {
		if (problem->fault == PV_FIELD_CUT_PAGE && page->tree &&
		    pv_tree_end(page->tree) != PV_TREE_WHOLE)
			pv_buf_append_format(near, "the page %s",
			    pv_tree_end_text(pv_tree_end(page->tree)));
		return;
	}
	page->budget.steps = PV_TREE_STEPS;
	pv_arena_init(&place.arena);
	if (find_place(&place, problem)) {
		if (problem->fault == PV_FIELD_NOTHING)
			pv_near_write_source(page, &place.field->source,
			    place.has_context ? &place.context : NULL, near);
		else if (problem->fault == PV_FIELD_WRONG)
			write_wrong(place.field, problem, near);
	}
	pv_arena_finish(&place.arena);
}
