#include "policy/pages/source.h"

#include <stdarg.h>

#include "base/json/json_pointer.h"
#include "base/pattern/regex.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "policy/kind.h"
#include "policy/option.h"
#include "tree/expression.h"

#define SENTENCE_MAX 1024

/* Problems within a text */

static uint32_t characters_of(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	uint32_t count = 0;
	while (!pv_reader_is_end(&reader) && pv_utf8_next(&reader) != -1)
		count++;
	return count;
}

/* Where that is in the file can be told if the text stands on one line as it
 * is. */
bool pv_source_fail_at(struct pv_reading *reading, const struct pv_node *node,
    size_t offset, const char *format, ...)
{
	struct pv_node place = *node;
	struct pv_buf text;
	va_list list;
	struct pv_str head = pv_str_head(
	    node->text, offset < node->text.len ? offset : node->text.len);
	if (pv_str_find(node->text, '\n') == PV_NOT_FOUND)
		place.column += node->is_quoted + characters_of(head);
	va_start(list, format);
	pv_buf_init(&text, SENTENCE_MAX);
	pv_visible_append_format_list(&text, format, list);
	va_end(list);
	pv_reading_fail(reading, &place, "%s", pv_buf_text(&text));
	pv_buf_finish(&text);
	return false;
}

/* The text of a key of a source, or NULL with a problem told. */
static const char *read_text(struct pv_reading *reading,
    const struct pv_node *node, const char *expected)
{
	if (node->kind != PV_NODE_TEXT || !node->text.len) {
		pv_reading_expected(reading, node, expected);
		return NULL;
	}
	if (!pv_text_is_meant(reading, node, expected))
		return NULL;
	return pv_arena_text(reading->arena, node->text);
}

/* The keys */

#define SELECTOR "a CSS selector such as h1 or \".price::text\""
#define XPATH "an XPath 1.0 expression such as \"//h1\""
#define POINTER "a JSON Pointer such as /offers/0/price"
#define PATTERN "a regular expression (PCRE2)"
#define NAME "a name"
#define URL_PART                                                   \
	"whole, host, path, query, or the name of a parameter of " \
	"the query"

static bool read_expression(struct pv_reading *reading,
    const struct pv_node *node, enum pv_expression_kind kind,
    struct pv_source *source)
{
	struct pv_expression_fault fault;
	bool is_css = kind == PV_EXPRESSION_CSS;
	source->text = read_text(reading, node, is_css ? SELECTOR : XPATH);
	if (!source->text)
		return false;
	source->expression = pv_expression_create(kind, node->text, &fault);
	return source->expression ||
	       pv_source_fail_at(reading, node, fault.offset, "%s", fault.text);
}

bool pv_source_read_css(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *source)
{
	source->kind = PV_SOURCE_CSS;
	return read_expression(reading, node, PV_EXPRESSION_CSS, source);
}

static bool read_xpath(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *source)
{
	source->kind = PV_SOURCE_XPATH;
	return read_expression(reading, node, PV_EXPRESSION_XPATH, source);
}

static bool read_json(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *source)
{
	struct pv_pattern_fault fault;
	source->kind = PV_SOURCE_JSON;
	if (node->kind != PV_NODE_TEXT || (!node->text.len && !node->is_quoted))
		return pv_reading_expected(reading, node, POINTER);
	source->text = pv_arena_text(reading->arena, node->text);
	source->pointer = pv_json_pointer_create(node->text, &fault);
	return source->pointer ||
	       pv_source_fail_at(reading, node, fault.offset, "%s", fault.text);
}

static bool read_regex(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *source)
{
	struct pv_pattern_fault fault;
	source->regex_text = read_text(reading, node, PATTERN);
	if (!source->regex_text)
		return false;
	source->regex = pv_regex_create(node->text, &fault);
	return source->regex ||
	       pv_source_fail_at(reading, node, fault.offset,
		   "this pattern is not a valid regular expression: %s",
		   fault.text);
}

static bool read_named(struct pv_reading *reading, const struct pv_node *node,
    enum pv_source_kind kind, struct pv_source *source)
{
	source->kind = kind;
	source->text = read_text(reading, node, NAME);
	return source->text != NULL;
}

static bool read_meta(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *source)
{
	return read_named(reading, node, PV_SOURCE_META, source);
}

static bool read_header(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *source)
{
	return read_named(reading, node, PV_SOURCE_HEADER, source);
}

static bool read_url(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *source)
{
	static const char *const parts[] = {
	    [PV_URL_WHOLE] = "whole",
	    [PV_URL_HOST] = "host",
	    [PV_URL_PATH] = "path",
	    [PV_URL_QUERY] = "query",
	};
	source->kind = PV_SOURCE_URL;
	source->text = read_text(reading, node, URL_PART);
	source->url_part = PV_URL_PARAMETER;
	for (int i = 0; source->text && i < PV_URL_PARAMETER; i++) {
		if (pv_str_equal(node->text, pv_str_of(parts[i])))
			source->url_part = (enum pv_url_part)i;
	}
	return source->text != NULL;
}

/* Which keys say where it is to be found; the last, if it stands alone. */
static const struct {
	const char *name;
	bool (*read)(
	    struct pv_reading *, const struct pv_node *, struct pv_source *);
} places[] = {
    {"css", pv_source_read_css},
    {"xpath", read_xpath},
    {"json", read_json},
    {"meta", read_meta},
    {"header", read_header},
    {"url", read_url},
};

#define PLACE_COUNT (sizeof(places) / sizeof(*places))

size_t pv_source_count(const struct pv_node *map)
{
	size_t count = 0;
	for (size_t i = 0; i < PLACE_COUNT; i++)
		count += pv_member_find(map, places[i].name) != NULL;
	if (!count && pv_member_find(map, "regex"))
		count = 1;
	return count;
}

static const char *next_place(const struct pv_node *map, size_t *i)
{
	while (*i < PLACE_COUNT && !pv_member_find(map, places[*i].name))
		(*i)++;
	return *i < PLACE_COUNT ? places[(*i)++].name : NULL;
}

bool pv_source_fail_count(
    struct pv_reading *reading, const struct pv_node *map, const char *keys)
{
	size_t i = 0;
	const char *one = next_place(map, &i);
	const char *other = next_place(map, &i);
	if (!other)
		return pv_reading_fail(reading, map,
		    "where to look is missing: write one of %s", keys);
	return pv_reading_fail(reading, map,
	    "%s and %s cannot stand in one mapping: leave one of them out", one,
	    other);
}

/* Where JSON stands */

static const char *const json_places[] = {"body", "ld", "script", NULL};

static bool read_in(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *source)
{
	static const struct pv_option option = {
	    .path = "in", .kind = &pv_kind_choice, .choices = json_places};
	int place;
	if (!pv_kind_choice.read(reading, &option, node, &place))
		return false;
	source->place = (enum pv_json_place)place;
	return true;
}

static bool read_of(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *source)
{
	source->of = read_text(reading, node, "a type such as Product");
	return source->of != NULL;
}

static bool read_after(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *source)
{
	source->after = read_text(
	    reading, node, "the text before the value, \"window.state =\"");
	return source->after != NULL;
}

/* What goes with what */
static bool check_json(struct pv_reading *reading, const struct pv_node *map,
    const struct pv_source *source)
{
	static const char *const only_json[] = {"in", "of", "after"};
	bool is_json = source->kind == PV_SOURCE_JSON;
	for (size_t i = 0; !is_json && i < 3; i++) {
		if (pv_member_find(map, only_json[i]))
			return pv_member_fail(reading, map, only_json[i],
			    "this belongs to json: {json: /name, in: ld}");
	}
	if (source->of && source->place != PV_JSON_LD)
		return pv_member_fail(reading, map, "of",
		    "this is the @type of JSON-LD: write in: ld beside it");
	if (source->after && source->place != PV_JSON_SCRIPT)
		return pv_member_fail(reading, map, "after",
		    "this is a text in a script: write in: script beside it");
	if (is_json && source->place == PV_JSON_SCRIPT && !source->after)
		return pv_member_fail(reading, map, "in",
		    "the text before the value in the script is missing: write "
		    "after: \"window.state =\" beside it");
	return true;
}

static bool read_part(struct pv_reading *reading, const struct pv_node *map,
    const char *name, struct pv_source *source)
{
	static const struct {
		const char *name;
		bool (*read)(struct pv_reading *, const struct pv_node *,
		    struct pv_source *);
	} parts[] = {{"in", read_in}, {"of", read_of}, {"after", read_after},
	    {"regex", read_regex}};
	const struct pv_node *node = pv_member_find(map, name);
	bool is_right = true;
	if (!node)
		return true;
	size_t mark = pv_reading_enter(reading, node->key);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (pv_str_equal(node->key, pv_str_of(parts[i].name)))
			is_right = parts[i].read(reading, node, source);
	}
	pv_reading_leave(reading, mark);
	return is_right;
}

static bool read_place(struct pv_reading *reading, const struct pv_node *map,
    struct pv_source *source)
{
	source->kind = PV_SOURCE_REGEX;
	for (size_t i = 0; i < PLACE_COUNT; i++) {
		const struct pv_node *node =
		    pv_member_find(map, places[i].name);
		if (!node)
			continue;
		size_t mark = pv_reading_enter(reading, node->key);
		bool is_right = places[i].read(reading, node, source);
		pv_reading_leave(reading, mark);
		return is_right;
	}
	return true;
}

bool pv_source_read(struct pv_reading *reading, const struct pv_node *map,
    struct pv_source *source)
{
	bool is_right = read_place(reading, map, source);
	is_right = read_part(reading, map, "regex", source) && is_right;
	is_right = read_part(reading, map, "in", source) && is_right;
	is_right = read_part(reading, map, "of", source) && is_right;
	is_right = read_part(reading, map, "after", source) && is_right;
	return is_right && check_json(reading, map, source);
}

void pv_source_finish(struct pv_source *source)
{
	pv_expression_destroy(source->expression);
	pv_json_pointer_destroy(source->pointer);
	pv_regex_destroy(source->regex);
	*source = (struct pv_source){.kind = source->kind};
}
