#include "base/json/json_page.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/json/json.h"
#include "base/json/json_text.h"
#include "base/utf8.h"

/* Numbers and control characters become longer; this is more than any page
 * needs that is not made for it. */
#define MARKED_MAX (4 * PV_JSON_PAGE_MAX)

static const json_t *theirs(const struct pv_json *value)
{
	return (const json_t *)(const void *)value;
}

static const struct pv_json *ours(const json_t *value)
{
	return (const struct pv_json *)(const void *)value;
}

/* A clean copy where one is needed. */
static struct pv_str clean(struct pv_str text, struct pv_buf *buf)
{
	if (pv_str_starts(text, PV_STR("\xef\xbb\xbf")))
		text = pv_str_from(text, 3);
	if (pv_utf8_find_invalid(text) == PV_NOT_FOUND)
		return text;
	pv_utf8_append_valid(buf, text);
	return pv_buf_str(buf);
}

struct pv_json *pv_json_read_page(struct pv_str text)
{
	struct pv_buf cleaned, marked;
	json_t *value = NULL;
	if (text.len > PV_JSON_PAGE_MAX)
		return NULL;
	pv_buf_init(&cleaned, 3 * PV_JSON_PAGE_MAX);
	pv_buf_init(&marked, MARKED_MAX);
	if (pv_json_text_mark(clean(text, &cleaned), &marked))
		value = json_loadb(pv_buf_text(&marked), marked.len,
		    JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	pv_buf_finish(&marked);
	pv_buf_finish(&cleaned);
	return (struct pv_json *)value;
}

static struct pv_str string_of(const struct pv_json *value)
{
	return (struct pv_str){json_string_value(theirs(value)),
	    json_string_length(theirs(value))};
}

static bool is_marked(struct pv_str text, size_t at)
{
	return text.len > at && text.ptr[at] == PV_JSON_MARK;
}

enum pv_json_kind pv_json_page_kind(const struct pv_json *value)
{
	struct pv_str text;
	switch (json_typeof(theirs(value))) {
	case JSON_OBJECT:
		return PV_JSON_OBJECT;
	case JSON_ARRAY:
		return PV_JSON_ARRAY;
	case JSON_STRING:
		text = string_of(value);
		return is_marked(text, 0) && !is_marked(text, 1)
			   ? PV_JSON_NUMBER
			   : PV_JSON_TEXT;
	case JSON_TRUE:
	case JSON_FALSE:
		return PV_JSON_BOOL;
	default:
		return PV_JSON_NULL;
	}
}

struct pv_str pv_json_page_text(const struct pv_json *value)
{
	struct pv_str text = string_of(value);
	if (json_is_true(theirs(value)))
		return PV_STR("true");
	if (json_is_false(theirs(value)))
		return PV_STR("false");
	return is_marked(text, 0) ? pv_str_from(text, 1) : text;
}

size_t pv_json_page_count(const struct pv_json *value)
{
	return json_is_object(theirs(value)) ? json_object_size(theirs(value))
					     : json_array_size(theirs(value));
}

/* jansson walks through an object that might be changed. */
static json_t *mutable(const struct pv_json *value)
{
	union {
		const struct pv_json *given;
		json_t *taken;
	} either = {.given = value};
	return either.taken;
}

struct pv_json_walk pv_json_walk_of(const struct pv_json *value)
{
	return (struct pv_json_walk){
	    .value = value,
	    .place = json_object_iter(mutable(value)),
	};
}

const struct pv_json *pv_json_walk_next(
    struct pv_json_walk *walk, const char **name)
{
	*name = NULL;
	if (!json_is_object(theirs(walk->value)))
		return pv_json_at(walk->value, walk->index++);
	if (!walk->place)
		return NULL;
	*name = json_object_iter_key(walk->place);
	*name += **name == PV_JSON_MARK;
	const json_t *member = json_object_iter_value(walk->place);
	walk->place = json_object_iter_next(mutable(walk->value), walk->place);
	return ours(member);
}

/* Names have the mark twice, too, and then a lookup would need a copy. */
static const struct pv_json *marked_member(
    const struct pv_json *value, struct pv_str name)
{
	struct pv_json_walk walk = pv_json_walk_of(value);
	const struct pv_json *child;
	const char *found;
	do
		child = pv_json_walk_next(&walk, &found);
	while (child && !(found && pv_str_equal(pv_str_of(found), name)));
	return child;
}

const struct pv_json *pv_json_page_member(
    const struct pv_json *value, struct pv_str name)
{
	if (is_marked(name, 0))
		return marked_member(value, name);
	return ours(
	    json_object_getn(theirs(value), pv_str_bytes(name), name.len));
}

/* Writing: as deep as reading goes. */

static bool write_children(const struct pv_json *value, struct pv_buf *buf)
{
	struct pv_json_walk walk = pv_json_walk_of(value);
	const struct pv_json *child;
	const char *name;
	bool is_first = true;
	while ((child = pv_json_walk_next(&walk, &name))) {
		if (!is_first)
			pv_buf_append_char(buf, ',');
		is_first = false;
		if (name && (!pv_json_write_text(pv_str_of(name), buf) ||
				!pv_buf_append_char(buf, ':')))
			return false;
		if (!pv_json_page_write(child, buf))
			return false;
	}
	return true;
}

bool pv_json_page_write(const struct pv_json *value, struct pv_buf *buf)
{
	switch (pv_json_page_kind(value)) {
	case PV_JSON_OBJECT:
		return pv_buf_append_char(buf, '{') &&
		       write_children(value, buf) &&
		       pv_buf_append_char(buf, '}');
	case PV_JSON_ARRAY:
		return pv_buf_append_char(buf, '[') &&
		       write_children(value, buf) &&
		       pv_buf_append_char(buf, ']');
	case PV_JSON_TEXT:
		return pv_json_write_text(pv_json_page_text(value), buf);
	case PV_JSON_NUMBER:
	case PV_JSON_BOOL:
		return pv_buf_append(buf, pv_json_page_text(value));
	default:
		return pv_buf_append_text(buf, "null");
	}
}

/* Lists */

void pv_json_list_init(struct pv_json_list *list)
{
	*list = (struct pv_json_list){.items = NULL};
}

void pv_json_list_finish(struct pv_json_list *list)
{
	free((void *)list->items);
	pv_json_list_init(list);
}

bool pv_json_list_add(struct pv_json_list *list, const struct pv_json *value)
{
	if (list->count == PV_JSON_LIST_MAX) {
		list->is_full = true;
		return false;
	}
	*PV_ARRAY_PUSH(list->items, list->count, list->size) = value;
	return true;
}
