#include "policy/document/reading.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/visible.h"

#define PATH_MAX_BYTES 1024
#define SENTENCE_MAX 2048
#define QUOTED_MAX 60 /* bytes of a value that a problem repeats */

void pv_reading_init(struct pv_reading *reading, struct pv_arena *arena,
    struct pv_why *why, const char *name, enum pv_layer layer)
{
	*reading = (struct pv_reading){
	    .arena = arena,
	    .why = why,
	    .name = pv_arena_text(arena, pv_str_of(name)),
	    .directory = "",
	    .layer = layer,
	};
	pv_buf_init(&reading->path, PATH_MAX_BYTES);
}

void pv_reading_finish(struct pv_reading *reading)
{
	pv_buf_finish(&reading->path);
}

const char *pv_directory_of(struct pv_arena *arena, const char *file)
{
	char path[PATH_MAX];
	size_t slash = pv_str_find_last(pv_str_of(file), '/');
	const char *directory =
	    slash == PV_NOT_FOUND ? "."
	    : slash == 0
		? "/"
		: pv_arena_text(arena, pv_str_head(pv_str_of(file), slash));
	if (!realpath(directory, path))
		return "";
	return pv_arena_text(arena, pv_str_of(path));
}

/* The first bytes of a text, whole characters only. */
static struct pv_str shortened(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	const char *end = reader.at;
	while (pv_utf8_next(&reader) != PV_UTF8_END &&
	       reader.at - text.ptr <= QUOTED_MAX)
		end = reader.at;
	return (struct pv_str){text.ptr, (size_t)(end - text.ptr)};
}

static bool needs_quotes(struct pv_str key)
{
	for (size_t i = 0; i < key.len; i++) {
		if (strchr(". *\":/", key.ptr[i]))
			return true;
	}
	return !key.len;
}

size_t pv_reading_enter(struct pv_reading *reading, struct pv_str key)
{
	size_t mark = reading->path.len;
	const char *quote = needs_quotes(key) ? "\"" : "";
	if (mark)
		pv_buf_append_char(&reading->path, '.');
	pv_buf_append_text(&reading->path, quote);
	pv_buf_append(&reading->path, shortened(key));
	pv_buf_append_text(&reading->path, quote);
	return mark;
}

void pv_reading_leave(struct pv_reading *reading, size_t mark)
{
	reading->path.len = mark;
	reading->path.is_full = false;
}

struct pv_place pv_reading_place(
    const struct pv_reading *reading, const struct pv_node *node)
{
	if (reading->layer == PV_LAYER_COMMAND)
		return (struct pv_place){.file = reading->name};
	return (struct pv_place){reading->name, node->line, node->column};
}

struct pv_origin pv_reading_origin(
    const struct pv_reading *reading, const struct pv_node *node)
{
	if (reading->layer == PV_LAYER_DEFAULT)
		return (struct pv_origin){0};
	struct pv_origin origin = {.place = pv_reading_place(reading, node)};
	if (node->origin)
		origin.said =
		    pv_arena_text(reading->arena, pv_str_of(node->origin));
	return origin;
}

struct pv_origin pv_reading_origin_of_key(
    const struct pv_reading *reading, const struct pv_node *node)
{
	struct pv_origin origin = pv_reading_origin(reading, node);
	if (origin.place.line) {
		origin.place.line = node->key_line;
		origin.place.column = node->key_column;
	}
	return origin;
}

/* A sentence that is too long is cut; one that would only be counted is not
 * even made. */
static void __attribute__((format(printf, 3, 0)))
tell(struct pv_reading *reading, struct pv_place place, const char *format,
    va_list list)
{
	struct pv_buf text;
	pv_buf_init(&text, SENTENCE_MAX);
	if (!pv_why_is_full(reading->why))
		pv_visible_append_format_list(&text, format, list);
	pv_why_add(reading->why, place, pv_buf_str(&reading->path), "%s",
	    pv_buf_text(&text));
	pv_buf_finish(&text);
}

bool pv_reading_fail(struct pv_reading *reading, const struct pv_node *node,
    const char *format, ...)
{
	va_list list;
	va_start(list, format);
	tell(reading, pv_reading_place(reading, node), format, list);
	va_end(list);
	return false;
}

void pv_reading_fail_key(struct pv_reading *reading, const struct pv_node *node,
    const char *format, ...)
{
	va_list list;
	struct pv_place place = pv_reading_place(reading, node);
	if (place.line) {
		place.line = node->key_line;
		place.column = node->key_column;
	}
	va_start(list, format);
	tell(reading, place, format, list);
	va_end(list);
}

static void describe_text(const struct pv_node *node, struct pv_buf *buf)
{
	struct pv_str start = shortened(node->text);
	const char *more = start.len < node->text.len ? "..." : "";
	const char *quote = node->is_quoted ? "\"" : "";
	pv_buf_append_format(
	    buf, "%s%.*s%s%s", quote, PV_STR_ARG(start), more, quote);
}

void pv_node_describe(const struct pv_node *node, struct pv_buf *buf)
{
	if (node->kind == PV_NODE_LIST)
		pv_buf_append_text(
		    buf, node->first ? "a list" : "an empty list");
	else if (node->kind == PV_NODE_MAP)
		pv_buf_append_text(
		    buf, node->first ? "a mapping" : "an empty mapping");
	else if (!node->text.len && !node->is_quoted)
		pv_buf_append_text(buf, "nothing");
	else
		describe_text(node, buf);
}

bool pv_reading_expected(
    struct pv_reading *reading, const struct pv_node *node, const char *words)
{
	if (node->kind == PV_NODE_REFUSED)
		return false;
	struct pv_buf found;
	pv_buf_init(&found, 256);
	pv_node_describe(node, &found);
	pv_reading_fail(
	    reading, node, "expected %s, found %s", words, pv_buf_text(&found));
	pv_buf_finish(&found);
	return false;
}
