#include "http/media_type.h"

#include "base/ascii.h"
#include "base/glob.h"
#include "base/reader.h"
#include "http/parameter.h"

#define HALF_BYTES_MAX 127

static bool take_half(struct pv_reader *reader, struct pv_str *half)
{
	*half = pv_reader_take_while(reader, pv_is_token);
	return half->len >= 1 && half->len <= HALF_BYTES_MAX;
}

bool pv_media_type_read(struct pv_str text, struct pv_media_type *type)
{
	struct pv_reader reader = pv_reader_of(pv_str_trim(text));
	struct pv_media_type found = {.name = pv_reader_rest(&reader)};
	if (!take_half(&reader, &found.type) ||
	    !pv_reader_accept(&reader, '/') ||
	    !take_half(&reader, &found.subtype))
		return false;
	found.name.len = found.type.len + 1 + found.subtype.len;
	pv_reader_take_while(&reader, pv_is_blank);
	int next = pv_reader_peek(&reader);
	if (next != ';' && next != ',' && next != -1)
		return false;
	found.parameters = pv_reader_rest(&reader);
	*type = found;
	return true;
}

bool pv_media_type_is(const struct pv_media_type *type, struct pv_str name)
{
	return pv_str_equal_nocase(type->name, name);
}

/* A type that was read is no longer than this; another is none. */
#define TYPE_BYTES_MAX (2 * HALF_BYTES_MAX + 1)

bool pv_media_type_is_among(
    struct pv_str type, const char *const *ranges, size_t count)
{
	char lower[TYPE_BYTES_MAX];
	if (type.len > sizeof(lower))
		return false;
	for (size_t i = 0; i < type.len; i++)
		lower[i] = pv_lower(type.ptr[i]);
	for (size_t i = 0; i < count; i++) {
		if (pv_glob_match(
			pv_str_of(ranges[i]), (struct pv_str){lower, type.len}))
			return true;
	}
	return false;
}

bool pv_media_type_get(
    const struct pv_media_type *type, struct pv_str name, struct pv_buf *value)
{
	struct pv_reader reader = pv_reader_of(type->parameters);
	struct pv_parameter parameter;
	return pv_parameter_find(reader, name, &parameter) &&
	       pv_parameter_write(&parameter, value);
}
