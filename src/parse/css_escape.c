#include "parse/css_escape.h"

#include "base/ascii.h"
#include "base/utf8.h"

#define DIGITS_MAX 6
#define CHARACTER_MAX 0x10ffff
#define REPLACEMENT 0xfffd

bool pv_css_is_break(int byte)
{
	return byte == '\n' || byte == '\f' || byte == '\r';
}

bool pv_css_is_space(int byte)
{
	return byte == ' ' || byte == '\t' || pv_css_is_break(byte);
}

/* Takes the end of a line, of which CR and LF together are one. */
static void take_break(struct pv_reader *reader)
{
	if (pv_reader_next(reader) == '\r')
		pv_reader_accept(reader, '\n');
}

static int32_t meant_by(int32_t number)
{
	bool is_surrogate = number >= 0xd800 && number <= 0xdfff;
	if (!number || is_surrogate || number > CHARACTER_MAX)
		return REPLACEMENT;
	return number;
}

int32_t pv_css_escape_number(struct pv_reader *reader)
{
	int32_t number = 0;
	unsigned digits = 0;
	for (; digits < DIGITS_MAX; digits++) {
		int value = pv_hex_value(pv_reader_peek(reader));
		if (value < 0)
			break;
		number = number * 16 + value;
		pv_reader_next(reader);
	}
	if (!digits)
		return -1;
	if (pv_css_is_space(pv_reader_peek(reader)))
		take_break(reader);
	return meant_by(number);
}

/* Behind a backslash: takes the end of a line, if it stands there. */
static bool take_escaped_break(struct pv_reader *reader)
{
	if (!pv_css_is_break(pv_reader_peek(reader)))
		return false;
	take_break(reader);
	return true;
}

int32_t pv_css_take(struct pv_reader *reader)
{
	if (!pv_reader_accept(reader, '\\'))
		return pv_reader_next(reader);
	int32_t character = pv_css_escape_number(reader);
	if (character >= 0)
		return character;
	return take_escaped_break(reader) ? ' ' : pv_reader_next(reader);
}

static void append_escape(struct pv_reader *reader, struct pv_buf *buf)
{
	int32_t character = pv_css_escape_number(reader);
	if (character >= 0)
		pv_utf8_append(buf, (uint32_t)character);
	else if (!take_escaped_break(reader))
		pv_buf_append(buf, pv_reader_take(reader, 1));
}

void pv_css_unescape(struct pv_str text, struct pv_buf *buf)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader) && !buf->is_full) {
		pv_buf_append(buf, pv_reader_take_until(&reader, '\\'));
		if (pv_reader_accept(&reader, '\\'))
			append_escape(&reader, buf);
	}
}

bool pv_css_name_is(struct pv_str name, struct pv_str wanted)
{
	struct pv_reader reader = pv_reader_of(name);
	if (name.len < wanted.len)
		return false;
	for (size_t i = 0; i < wanted.len; i++) {
		int32_t character = pv_css_take(&reader);
		if (character < 0 || character > 0x7f ||
		    pv_lower((char)character) != wanted.ptr[i])
			return false;
	}
	return pv_reader_is_end(&reader);
}
