#include "tree/css/word.h"

#include "base/ascii.h"
#include "base/utf8.h"

#define DIGITS_MAX 6
#define REPLACEMENT 0xfffdU

bool pv_selector_is_space(int byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' ||
	       byte == '\f';
}

static bool is_name_byte(int byte)
{
	return pv_is_alnum(byte) || byte == '-' || byte == '_' || byte >= 0x80;
}

bool pv_selector_is_at_name(const struct pv_reader *reader)
{
	struct pv_reader ahead = *reader;
	int first = pv_reader_next(&ahead);
	int second = pv_reader_peek(&ahead);
	if (first == '-')
		return (is_name_byte(second) && !pv_is_digit(second)) ||
		       second == '\\';
	if (first == '\\')
		return second >= 0 && second != '\n';
	return is_name_byte(first) && !pv_is_digit(first);
}

/* Behind a backslash: a number, with a space that ends it, or a character. */
static void take_escape(struct pv_reader *reader, struct pv_buf *buf)
{
	uint32_t character = 0;
	unsigned digits = 0;
	while (
	    digits < DIGITS_MAX && pv_hex_value(pv_reader_peek(reader)) >= 0) {
		int value = pv_hex_value(pv_reader_next(reader));
		character = character * 16 + (uint32_t)value;
		digits++;
	}
	if (!digits) {
		pv_buf_append(buf, pv_reader_take(reader, 1));
		return;
	}
	if (pv_selector_is_space(pv_reader_peek(reader)))
		pv_reader_next(reader);
	bool is_none = !character || character > 0x10ffff ||
		       (character >= 0xd800 && character <= 0xdfff);
	pv_utf8_append(buf, is_none ? REPLACEMENT : character);
}

/* An escape may mean three bytes where it has two. */
static size_t room_for(const struct pv_reader *reader)
{
	return 2 * pv_reader_left(reader) + 4;
}

static struct pv_str kept(struct pv_buf *buf, struct pv_arena *arena)
{
	struct pv_str text = pv_arena_copy(arena, pv_buf_str(buf));
	pv_buf_finish(buf);
	return text;
}

struct pv_str pv_selector_take_name(
    struct pv_reader *reader, struct pv_arena *arena)
{
	struct pv_buf buf;
	pv_buf_init(&buf, room_for(reader));
	while (!pv_reader_is_end(reader)) {
		pv_buf_append(&buf, pv_reader_take_while(reader, is_name_byte));
		struct pv_reader ahead = *reader;
		if (!pv_reader_accept(&ahead, '\\') ||
		    pv_reader_is_end(&ahead) || pv_reader_peek(&ahead) == '\n')
			break;
		*reader = ahead;
		take_escape(reader, &buf);
	}
	return kept(&buf, arena);
}

bool pv_selector_take_string(
    struct pv_reader *reader, struct pv_arena *arena, struct pv_str *string)
{
	struct pv_buf buf;
	int quote = pv_reader_next(reader);
	int byte;
	pv_buf_init(&buf, room_for(reader));
	while ((byte = pv_reader_next(reader)) >= 0 && byte != quote) {
		if (byte != '\\')
			pv_buf_append_char(&buf, (char)byte);
		else if (!pv_reader_accept(reader, '\n'))
			take_escape(reader, &buf);
	}
	*string = kept(&buf, arena);
	return byte == quote;
}

struct pv_str pv_selector_lower(struct pv_arena *arena, struct pv_str text)
{
	char *bytes = pv_arena_give(arena, text.len + 1);
	for (size_t i = 0; i < text.len; i++)
		bytes[i] = pv_lower(text.ptr[i]);
	return (struct pv_str){bytes, text.len};
}
