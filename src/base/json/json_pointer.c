#include "base/json/json_pointer.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/ascii.h"
#include "base/json/json.h"
#include "base/nearest.h"
#include "base/reader.h"
#include "base/visible.h"

#define POINTER_MAX ((size_t)4096) /* bytes */
#define NAME_SHOWN ((size_t)60)    /* bytes of a stranger's name */
#define NAMES_SHOWN 5
#define NAMES_TRIED 10000
#define INDEX_DIGITS 9

struct step {
	struct pv_str name;
	size_t end; /* in the pointer's text */
	bool is_each;
	bool is_index;
	size_t index;
};

struct pv_json_pointer {
	struct pv_arena arena;
	struct pv_str text;
	struct step *steps;
	size_t count;
	size_t size;
};

/* Compiling */

/* "$.items[0].price" and "items.price" are what people know from elsewhere. */
static void suggest(struct pv_str text, struct pv_buf *buf)
{
	struct pv_reader reader = pv_reader_of(text);
	pv_reader_accept(&reader, '$');
	int byte = pv_reader_peek(&reader);
	if (byte != '.' && byte != '[')
		pv_buf_append_char(buf, '/');
	while ((byte = pv_reader_next(&reader)) >= 0) {
		if (byte == '.' || byte == '[') {
			pv_reader_accept(&reader, '[');
			pv_buf_append_char(buf, '/');
		} else if (byte != ']' && byte != '\'' && byte != '"') {
			pv_buf_append_char(buf, (char)byte);
		}
	}
}

static void tell_beginning(struct pv_str text, struct pv_pattern_fault *fault)
{
	struct pv_buf written, shown;
	pv_buf_init(&written, POINTER_MAX + 2);
	pv_buf_init(&shown, 4 * POINTER_MAX);
	suggest(text, &written);
	pv_visible_append(&shown, pv_buf_str(&written));
	snprintf(fault->text, sizeof(fault->text),
	    "a JSON Pointer begins with \"/\"; write \"%.100s\"",
	    pv_buf_text(&shown));
	fault->offset = 0;
	pv_buf_finish(&shown);
	pv_buf_finish(&written);
}

static bool is_well_formed(struct pv_str text, struct pv_pattern_fault *fault)
{
	if (text.len > POINTER_MAX) {
		*fault = (struct pv_pattern_fault){
		    .text = "a JSON Pointer has at most 4096 bytes",
		    .offset = POINTER_MAX,
		};
		return false;
	}
	if (text.len && text.ptr[0] != '/') {
		tell_beginning(text, fault);
		return false;
	}
	for (size_t i = 0; i < text.len; i++) {
		char next = i + 1 < text.len ? text.ptr[i + 1] : '\0';
		if (text.ptr[i] != '~' || next == '0' || next == '1')
			continue;
		*fault = (struct pv_pattern_fault){
		    .text = "\"~\" is written \"~0\", and a \"/\" within a "
			    "name \"~1\"",
		    .offset = i,
		};
		return false;
	}
	return true;
}

/* RFC 6901, 3 and 4; what a step is called is never longer than it is
 * written. */
static struct pv_str unescaped(struct pv_arena *arena, struct pv_str written)
{
	char *bytes = pv_arena_give(arena, written.len + 1);
	size_t len = 0;
	struct pv_reader reader = pv_reader_of(written);
	while (!pv_reader_is_end(&reader)) {
		int byte = pv_reader_next(&reader);
		if (byte == '~')
			byte = pv_reader_next(&reader) == '1' ? '/' : '~';
		bytes[len++] = (char)byte;
	}
	return (struct pv_str){bytes, len};
}

/* Without zeros in front. */
static bool read_index(struct pv_str name, size_t *index)
{
	struct pv_reader reader = pv_reader_of(name);
	uint64_t number;
	if (!name.len || name.len > INDEX_DIGITS ||
	    (name.ptr[0] == '0' && name.len > 1) ||
	    !pv_reader_take_number(&reader, UINT32_MAX, &number))
		return false;
	*index = (size_t)number;
	return pv_reader_is_end(&reader);
}

static void add_steps(struct pv_json_pointer *pointer)
{
	struct pv_reader reader = pv_reader_of(pointer->text);
	while (pv_reader_accept(&reader, '/')) {
		struct pv_str written = pv_reader_take_until(&reader, '/');
		struct step step = {
		    .name = unescaped(&pointer->arena, written),
		    .end = (size_t)(reader.at - pointer->text.ptr),
		    .is_each = pv_str_equal(written, PV_STR("*")),
		};
		step.is_index = read_index(step.name, &step.index);
		*PV_ARRAY_PUSH(pointer->steps, pointer->count, pointer->size) =
		    step;
	}
}

struct pv_json_pointer *pv_json_pointer_create(
    struct pv_str text, struct pv_pattern_fault *fault)
{
	if (!is_well_formed(text, fault))
		return NULL;
	struct pv_json_pointer *pointer = pv_alloc(sizeof(*pointer));
	pv_arena_init(&pointer->arena);
	pointer->text = pv_arena_copy(&pointer->arena, text);
	add_steps(pointer);
	return pointer;
}

void pv_json_pointer_destroy(struct pv_json_pointer *pointer)
{
	if (!pointer)
		return;
	free(pointer->steps);
	pv_arena_finish(&pointer->arena);
	free(pointer);
}

/* Evaluating: as deep as the value is, at most. */

/* Where a step that is not * leads to. */
static const struct pv_json *child_of(
    const struct pv_json *value, const struct step *step)
{
	if (pv_json_page_kind(value) == PV_JSON_OBJECT)
		return pv_json_page_member(value, step->name);
	return step->is_index ? pv_json_at(value, step->index) : NULL;
}

/* Called for each value that some first steps lead to; false ends it. */
typedef bool (*reach_fn)(const struct pv_json *value, size_t steps, void *ctx);

struct descent {
	const struct pv_json_pointer *pointer;
	reach_fn reach;
	void *ctx;
};

static bool descend(
    const struct descent *descent, const struct pv_json *value, size_t steps)
{
	const struct pv_json *child;
	const char *name;
	if (!descent->reach(value, steps, descent->ctx))
		return false;
	if (steps == descent->pointer->count)
		return true;
	const struct step *step = &descent->pointer->steps[steps];
	if (!step->is_each) {
		child = child_of(value, step);
		return !child || descend(descent, child, steps + 1);
	}
	struct pv_json_walk walk = pv_json_walk_of(value);
	while ((child = pv_json_walk_next(&walk, &name))) {
		if (!descend(descent, child, steps + 1))
			return false;
	}
	return true;
}

struct finding {
	size_t steps; /* of the whole pointer */
	struct pv_json_list *list;
};

static bool find(const struct pv_json *value, size_t steps, void *ctx)
{
	struct finding *finding = ctx;
	return steps < finding->steps || pv_json_list_add(finding->list, value);
}

void pv_json_pointer_find(const struct pv_json_pointer *pointer,
    const struct pv_json *value, struct pv_json_list *list)
{
	struct finding finding = {pointer->count, list};
	struct descent descent = {pointer, find, &finding};
	descend(&descent, value, 0);
}

/* Explaining */

struct farthest {
	const struct pv_json *value;
	size_t steps;
};

/* The first of those that are farthest. */
static bool go_far(const struct pv_json *value, size_t steps, void *ctx)
{
	struct farthest *farthest = ctx;
	if (!farthest->value || steps > farthest->steps)
		*farthest = (struct farthest){value, steps};
	return true;
}

static void append_quoted(struct pv_buf *buf, struct pv_str name)
{
	pv_buf_append_char(buf, '"');
	pv_visible_append(buf,
	    pv_str_head(name, name.len < NAME_SHOWN ? name.len : NAME_SHOWN));
	pv_buf_append_text(buf, name.len > NAME_SHOWN ? "...\"" : "\"");
}

static void append_kind(struct pv_buf *buf, const struct pv_json *value)
{
	static const char *const words[] = {
	    [PV_JSON_NULL] = "null",
	    [PV_JSON_BOOL] = "true or false",
	    [PV_JSON_NUMBER] = "a number",
	    [PV_JSON_TEXT] = "a text",
	    [PV_JSON_ARRAY] = "a list",
	    [PV_JSON_OBJECT] = "an object",
	};
	enum pv_json_kind kind = pv_json_page_kind(value);
	pv_buf_append_text(buf, words[kind]);
	if (kind == PV_JSON_ARRAY)
		pv_buf_append_format(buf, " of %zu", pv_json_page_count(value));
}

/* A few names, where none of them is near. */
static void append_names(struct pv_buf *buf, const struct pv_json *value)
{
	struct pv_json_walk walk = pv_json_walk_of(value);
	const char *name;
	size_t count = pv_json_page_count(value);
	for (int i = 0; i < NAMES_SHOWN; i++) {
		if (!pv_json_walk_next(&walk, &name))
			break;
		pv_buf_append_text(buf, i ? ", " : "; it has ");
		append_quoted(buf, pv_str_of(name));
	}
	if (count > NAMES_SHOWN)
		pv_buf_append_format(buf, " and %zu more", count - NAMES_SHOWN);
}

static void append_lack(
    struct pv_buf *buf, const struct pv_json *value, const struct step *step)
{
	struct pv_nearest nearest = pv_nearest_to(step->name);
	struct pv_json_walk walk = pv_json_walk_of(value);
	const char *name;
	pv_buf_append_text(buf, " has no ");
	append_quoted(buf, step->name);
	for (int i = 0; i < NAMES_TRIED && pv_json_walk_next(&walk, &name); i++)
		pv_nearest_offer(&nearest, name);
	if (nearest.word) {
		pv_buf_append_text(buf, "; is it ");
		append_quoted(buf, pv_str_of(nearest.word));
		pv_buf_append_char(buf, '?');
	} else {
		append_names(buf, value);
	}
}

static void append_end(struct pv_buf *buf, const struct farthest *farthest,
    const struct step *step)
{
	enum pv_json_kind kind = pv_json_page_kind(farthest->value);
	size_t count = pv_json_page_count(farthest->value);
	if (kind == PV_JSON_OBJECT && count && !step->is_each) {
		append_lack(buf, farthest->value, step);
		return;
	}
	pv_buf_append_text(buf, " is ");
	append_kind(buf, farthest->value);
	if (kind == PV_JSON_ARRAY && count)
		pv_buf_append_format(buf,
		    ": write a number from 0 to %zu, or * for each", count - 1);
	else if (kind == PV_JSON_ARRAY || kind == PV_JSON_OBJECT)
		pv_buf_append_text(buf, " without anything in it");
	else
		pv_buf_append_text(buf, ", and there is nothing in it");
}

void pv_json_pointer_nearest(const struct pv_json_pointer *pointer,
    const struct pv_json *value, struct pv_buf *buf)
{
	struct farthest farthest = {.value = NULL};
	struct descent descent = {pointer, go_far, &farthest};
	descend(&descent, value, 0);
	size_t end =
	    farthest.steps ? pointer->steps[farthest.steps - 1].end : 0;
	if (end)
		append_quoted(buf, pv_str_head(pointer->text, end));
	else
		pv_buf_append_text(buf, "the JSON");
	if (farthest.steps < pointer->count) {
		append_end(buf, &farthest, &pointer->steps[farthest.steps]);
		return;
	}
	pv_buf_append_text(buf, " is ");
	append_kind(buf, farthest.value);
}
