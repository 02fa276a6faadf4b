#include "http/headers.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/reader.h"

/* Where a field lies in the text: its value follows its name at once. */
struct pv_header_place {
	size_t name;
	size_t value;
	size_t end;
};

void pv_headers_init(
    struct pv_headers *headers, size_t count_max, size_t bytes_max)
{
	*headers = (struct pv_headers){.count_max = count_max};
	pv_buf_init(&headers->text, bytes_max);
}

void pv_headers_finish(struct pv_headers *headers)
{
	pv_buf_finish(&headers->text);
	free(headers->places);
	*headers = (struct pv_headers){
	    .text = headers->text, .count_max = headers->count_max};
}

void pv_headers_clear(struct pv_headers *headers)
{
	pv_buf_clear(&headers->text);
	headers->count = 0;
	headers->is_foldable = false;
	headers->is_full = false;
}

/* What may stand in a value: RFC 9110, 5.5. */
static bool is_value_byte(int byte)
{
	return byte == '\t' || !pv_is_control(byte);
}

static bool is_all(struct pv_str text, pv_byte_fn is)
{
	struct pv_reader reader = pv_reader_of(text);
	pv_reader_take_while(&reader, is);
	return pv_reader_is_end(&reader);
}

static enum pv_header_result refuse_more(struct pv_headers *headers)
{
	headers->is_full = true;
	return PV_HEADER_TOO_MANY;
}

static bool has_room(const struct pv_headers *headers, size_t len)
{
	return len <= headers->text.ceiling - headers->text.len;
}

enum pv_header_result pv_headers_add(
    struct pv_headers *headers, struct pv_str name, struct pv_str value)
{
	value = pv_str_trim(value);
	headers->is_foldable = false;
	if (!name.len || !is_all(name, pv_is_token))
		return PV_HEADER_BAD_NAME;
	if (!is_all(value, is_value_byte))
		return PV_HEADER_BAD_BYTE;
	if (headers->is_full || headers->count == headers->count_max ||
	    !has_room(headers, name.len) ||
	    !has_room(headers, name.len + value.len))
		return refuse_more(headers);
	struct pv_header_place place = {.name = headers->text.len};
	pv_buf_append(&headers->text, name);
	place.value = headers->text.len;
	pv_buf_append(&headers->text, value);
	place.end = headers->text.len;
	*PV_ARRAY_PUSH(headers->places, headers->count, headers->size) = place;
	headers->is_foldable = true;
	return PV_HEADER_ADDED;
}

/* Half a value is none: others may read the whole. */
static void remove_last(struct pv_headers *headers)
{
	headers->count--;
	pv_buf_cut(&headers->text, headers->places[headers->count].name);
	headers->is_foldable = false;
}

/* RFC 9112, 5.2: a folded line is read as if the fold were a space. What is
 * folded onto a line that was left out is left out with it. */
static enum pv_header_result add_fold(
    struct pv_headers *headers, struct pv_str line)
{
	struct pv_str more = pv_str_trim(line);
	if (!headers->is_foldable)
		return PV_HEADER_BAD_FOLD;
	if (!is_all(more, is_value_byte)) {
		remove_last(headers);
		return PV_HEADER_BAD_BYTE;
	}
	struct pv_header_place *last = &headers->places[headers->count - 1];
	if (!more.len)
		return PV_HEADER_ADDED;
	if (headers->is_full || !has_room(headers, 1) ||
	    !has_room(headers, 1 + more.len))
		return refuse_more(headers);
	if (last->value < last->end)
		pv_buf_append_char(&headers->text, ' ');
	pv_buf_append(&headers->text, more);
	last->end = headers->text.len;
	return PV_HEADER_ADDED;
}

/* Without CRLF, or the LF alone that some send (RFC 9112, 2.2). */
static struct pv_str without_end(struct pv_str line)
{
	if (pv_str_ends(line, PV_STR("\r\n")))
		return pv_str_head(line, line.len - 2);
	if (pv_str_ends(line, PV_STR("\n")))
		return pv_str_head(line, line.len - 1);
	return line;
}

enum pv_header_result pv_headers_add_line(
    struct pv_headers *headers, struct pv_str line)
{
	line = without_end(line);
	if (line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t'))
		return add_fold(headers, line);
	size_t colon = pv_str_find(line, ':');
	if (colon == PV_NOT_FOUND) {
		headers->is_foldable = false;
		return PV_HEADER_NO_COLON;
	}
	return pv_headers_add(
	    headers, pv_str_head(line, colon), pv_str_from(line, colon + 1));
}

const char *pv_header_result_text(enum pv_header_result result)
{
	switch (result) {
	case PV_HEADER_ADDED:
		return "a header line";
	case PV_HEADER_TOO_MANY:
		return "too many headers";
	case PV_HEADER_NO_COLON:
		return "a header line without a colon";
	case PV_HEADER_BAD_NAME:
		return "a header whose name is not a token, or is followed by "
		       "a space";
	case PV_HEADER_BAD_BYTE:
		return "a header with a NUL, a line end or another control in "
		       "its value";
	case PV_HEADER_BAD_FOLD:
		return "a continuation of a header line that was left out";
	}
	return "";
}

struct pv_header pv_headers_at(const struct pv_headers *headers, size_t i)
{
	const struct pv_header_place *place = &headers->places[i];
	const char *text = pv_buf_text(&headers->text);
	return (struct pv_header){
	    .name = {text + place->name, place->value - place->name},
	    .value = {text + place->value, place->end - place->value},
	};
}

bool pv_headers_next(const struct pv_headers *headers, struct pv_str name,
    size_t *at, struct pv_str *value)
{
	while (*at < headers->count) {
		struct pv_header header = pv_headers_at(headers, (*at)++);
		if (pv_str_equal_nocase(header.name, name)) {
			*value = header.value;
			return true;
		}
	}
	return false;
}

struct pv_str pv_headers_get(
    const struct pv_headers *headers, struct pv_str name)
{
	struct pv_str value = {NULL, 0};
	size_t at = 0;
	pv_headers_next(headers, name, &at, &value);
	return value;
}
