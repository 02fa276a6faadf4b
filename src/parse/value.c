#include "parse/value.h"

#include "base/utf8.h"
#include "parse/entity.h"

void pv_value_next(struct pv_value_cursor *cursor)
{
	cursor->at = cursor->rest.at;
	cursor->character = pv_reader_peek(&cursor->rest);
	if (cursor->character == '&')
		cursor->character = pv_entity_take(&cursor->rest).first;
	else
		pv_reader_next(&cursor->rest);
}

struct pv_value_cursor pv_value_cursor_of(struct pv_str value)
{
	struct pv_value_cursor cursor = {.rest = pv_reader_of(value)};
	pv_value_next(&cursor);
	return cursor;
}

struct pv_str pv_value_take_while(
    struct pv_value_cursor *cursor, pv_value_fn is)
{
	struct pv_str taken = {cursor->at, 0};
	while (cursor->character >= 0 && is(cursor->character))
		pv_value_next(cursor);
	taken.len = (size_t)(cursor->at - taken.ptr);
	return taken;
}

bool pv_value_is_space(int32_t character)
{
	return character == ' ' || character == '\t' || character == '\n' ||
	       character == '\f' || character == '\r';
}

bool pv_value_is_blank(struct pv_str value)
{
	struct pv_value_cursor cursor = pv_value_cursor_of(value);
	pv_value_take_while(&cursor, pv_value_is_space);
	return cursor.character < 0;
}

static void append_reference(struct pv_reader *reader, struct pv_buf *buf)
{
	struct pv_entity entity = pv_entity_take(reader);
	pv_utf8_append(buf, (uint32_t)entity.first);
	if (entity.second >= 0)
		pv_utf8_append(buf, (uint32_t)entity.second);
}

struct pv_str pv_value_read(
    struct pv_str value, struct pv_decoder *decoder, struct pv_buf *scratch)
{
	bool has_references = pv_str_find(value, '&') != PV_NOT_FOUND;
	if (!has_references && !pv_decoder_changes(decoder, value))
		return value;
	struct pv_reader reader = pv_reader_of(value);
	pv_buf_clear(scratch);
	while (!pv_reader_is_end(&reader) && !scratch->is_full) {
		/* in no encoding is an ampersand part of another character */
		struct pv_str plain = pv_reader_take_until(&reader, '&');
		pv_decoder_append(decoder, scratch, plain);
		if (!pv_reader_is_end(&reader))
			append_reference(&reader, scratch);
	}
	return pv_buf_str(scratch);
}
