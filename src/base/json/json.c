#include "base/json/json.h"

#include <jansson.h>
#include <math.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "base/visible.h"

#define TEXT_MAX ((size_t)4 * 1024 * 1024)

/* A pv_json is jansson's own value under a name of ours. */
static json_t *theirs(struct pv_json *value)
{
	return (json_t *)value;
}

static struct pv_json *ours(json_t *value)
{
	if (!value)
		pv_alloc_fail(1, sizeof(json_t));
	return (struct pv_json *)value;
}

struct pv_json *pv_json_object(void)
{
	return ours(json_object());
}

struct pv_json *pv_json_array(void)
{
	return ours(json_array());
}

struct pv_json *pv_json_text(struct pv_str text)
{
	struct pv_buf buf;
	if (pv_utf8_find_invalid(text) == PV_NOT_FOUND)
		return ours(json_stringn_nocheck(pv_str_bytes(text), text.len));
	pv_buf_init(&buf, TEXT_MAX);
	pv_visible_append(&buf, text);
	json_t *value = json_stringn_nocheck(pv_buf_text(&buf), buf.len);
	pv_buf_finish(&buf);
	return ours(value);
}

struct pv_json *pv_json_integer(int64_t number)
{
	return ours(json_integer(number));
}

struct pv_json *pv_json_number(double number)
{
	return ours(isfinite(number) ? json_real(number) : json_null());
}

struct pv_json *pv_json_bool(bool value)
{
	return ours(json_boolean(value));
}

void pv_json_destroy(struct pv_json *value)
{
	json_decref(theirs(value));
}

void pv_json_set(
    struct pv_json *object, const char *name, struct pv_json *value)
{
	if (json_object_set_new_nocheck(theirs(object), name, theirs(value)) !=
	    0)
		pv_alloc_fail(1, sizeof(json_t));
}

void pv_json_add(struct pv_json *array, struct pv_json *value)
{
	if (json_array_append_new(theirs(array), theirs(value)) != 0)
		pv_alloc_fail(1, sizeof(json_t));
}

void pv_json_set_text(
    struct pv_json *object, const char *name, const char *text)
{
	pv_json_set(object, name, pv_json_text(pv_str_of(text)));
}

void pv_json_add_text(struct pv_json *array, const char *text)
{
	pv_json_add(array, pv_json_text(pv_str_of(text)));
}

/* Reading */

static const json_t *value_of(const struct pv_json *value)
{
	return (const json_t *)(const void *)value;
}

struct pv_json *pv_json_read(struct pv_str text)
{
	return (struct pv_json *)json_loadb(pv_str_bytes(text), text.len,
	    JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
}

const struct pv_json *pv_json_get(
    const struct pv_json *object, const char *name)
{
	return (const struct pv_json *)(const void *)json_object_get(
	    value_of(object), name);
}

struct pv_str pv_json_text_of(const struct pv_json *value)
{
	const json_t *text = value_of(value);
	return (struct pv_str){
	    json_string_value(text), json_string_length(text)};
}

struct pv_str pv_json_get_text(const struct pv_json *object, const char *name)
{
	return pv_json_text_of(pv_json_get(object, name));
}

int64_t pv_json_get_integer(
    const struct pv_json *object, const char *name, int64_t missing)
{
	const json_t *member = value_of(pv_json_get(object, name));
	return json_is_integer(member) ? json_integer_value(member) : missing;
}

bool pv_json_get_bool(const struct pv_json *object, const char *name)
{
	return json_is_true(value_of(pv_json_get(object, name)));
}

bool pv_json_is_object(const struct pv_json *value)
{
	return json_is_object(value_of(value));
}

size_t pv_json_count(const struct pv_json *array)
{
	return json_array_size(value_of(array));
}

const struct pv_json *pv_json_at(const struct pv_json *array, size_t index)
{
	return (const struct pv_json *)(const void *)json_array_get(
	    value_of(array), index);
}

/* Writing */

static int append(const char *bytes, size_t len, void *ctx)
{
	return pv_buf_append(ctx, (struct pv_str){bytes, len}) ? 0 : -1;
}

bool pv_json_write(
    const struct pv_json *value, bool is_indented, struct pv_buf *buf)
{
	size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(15) |
		       (is_indented ? JSON_INDENT(2) : JSON_COMPACT);
	size_t len = buf->len;
	if (json_dump_callback(
		(const json_t *)(const void *)value, append, buf, flags) == 0)
		return true;
	pv_buf_cut(buf, len);
	return false;
}

static bool is_plain(int byte)
{
	return !pv_is_control(byte) && byte != '"' && byte != '\\';
}

static void escape(struct pv_buf *buf, unsigned char byte)
{
	static const char letters[0x20] = {['\b'] = 'b',
	    ['\f'] = 'f',
	    ['\n'] = 'n',
	    ['\r'] = 'r',
	    ['\t'] = 't'};
	char letter = byte < 0x20 ? letters[byte] : (char)byte;
	if (letter == '\0' || letter == 0x7f) {
		pv_buf_append_format(buf, "\\u%04X", byte);
	} else {
		pv_buf_append_char(buf, '\\');
		pv_buf_append_char(buf, letter);
	}
}

/* Text that is UTF-8. */
static bool write_clean(struct pv_str text, struct pv_buf *buf)
{
	struct pv_reader reader = pv_reader_of(text);
	pv_buf_append_char(buf, '"');
	while (!pv_reader_is_end(&reader) && !buf->is_full) {
		pv_buf_append(buf, pv_reader_take_while(&reader, is_plain));
		if (!pv_reader_is_end(&reader))
			escape(buf, (unsigned char)pv_reader_next(&reader));
	}
	return pv_buf_append_char(buf, '"') && !buf->is_full;
}

/* Nearly every text in a line is ASCII and needs no second look. */
static bool is_plain_ascii(struct pv_str text)
{
	size_t odd = 0;
	for (size_t i = 0; i < text.len; i++) {
		int byte = (unsigned char)text.ptr[i];
		odd += byte >= 0x80 || !is_plain(byte);
	}
	return !odd;
}

bool pv_json_write_text(struct pv_str text, struct pv_buf *buf)
{
	struct pv_buf clean;
	if (is_plain_ascii(text))
		return pv_buf_append_char(buf, '"') &&
		       pv_buf_append(buf, text) && pv_buf_append_char(buf, '"');
	if (pv_utf8_find_invalid(text) == PV_NOT_FOUND)
		return write_clean(text, buf);
	pv_buf_init(&clean, TEXT_MAX);
	pv_visible_append(&clean, text);
	bool is_written = write_clean(pv_buf_str(&clean), buf);
	pv_buf_finish(&clean);
	return is_written;
}
