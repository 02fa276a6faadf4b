#include "base/json/json_text.h"

#include "base/ascii.h"
#include "base/reader.h"

#define DEPTH_MAX 512
#define WORD_MAX 1000 /* bytes of a number, or word, alone in a script */

/* What jansson takes, about. */
#define COST_MAX ((size_t)64 << 20)
#define GROUP_COST 320 /* of an array or object, be it empty */
#define TEXT_COST 96   /* of a text, number or name, besides its bytes */

struct marking {
	struct pv_reader reader;
	struct pv_buf *buf;
	size_t depth;
	size_t cost;
};

static bool is_space(int byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static bool is_number_byte(int byte)
{
	return pv_is_digit(byte) || byte == '-' || byte == '+' || byte == '.' ||
	       byte == 'e' || byte == 'E';
}

static bool take_digits(struct pv_reader *reader)
{
	return pv_reader_take_while(reader, pv_is_digit).len > 0;
}

bool pv_json_text_is_number(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	pv_reader_accept(&reader, '-');
	if (!pv_reader_accept(&reader, '0') && !take_digits(&reader))
		return false;
	if (pv_reader_accept(&reader, '.') && !take_digits(&reader))
		return false;
	if (pv_reader_accept(&reader, 'e') || pv_reader_accept(&reader, 'E')) {
		if (!pv_reader_accept(&reader, '-'))
			pv_reader_accept(&reader, '+');
		if (!take_digits(&reader))
			return false;
	}
	return pv_reader_is_end(&reader);
}

/* A number is no name, though a text would be. */
static bool mark_number(struct marking *marking)
{
	struct pv_str number =
	    pv_reader_take_while(&marking->reader, is_number_byte);
	struct pv_reader ahead = marking->reader;
	pv_reader_take_while(&ahead, is_space);
	marking->cost += TEXT_COST + number.len;
	return pv_json_text_is_number(number) &&
	       pv_reader_peek(&ahead) != ':' &&
	       pv_buf_append(marking->buf, PV_STR("\"\x7f")) &&
	       pv_buf_append(marking->buf, number) &&
	       pv_buf_append_char(marking->buf, '"');
}

/* Takes "\uD83D": its number; -1, with nothing taken, if it is none. */
static int32_t take_unicode(struct pv_reader *reader)
{
	struct pv_reader ahead = *reader;
	if (!pv_reader_accept_str(&ahead, PV_STR("\\u")))
		return -1;
	int32_t number = 0;
	for (int i = 0; i < 4; i++) {
		int value = pv_hex_value(pv_reader_next(&ahead));
		if (value < 0)
			return -1;
		number = number * 16 + value;
	}
	*reader = ahead;
	return number;
}

static bool is_first_half(int32_t character)
{
	return character >= 0xd800 && character < 0xdc00;
}

static bool is_second_half(int32_t character)
{
	return character >= 0xdc00 && character < 0xe000;
}

/* From the backslash. What it escapes is not looked at, so that a quote ends
 * nothing. */
static bool copy_escape(struct marking *marking)
{
	struct pv_reader *reader = &marking->reader;
	const char *start = reader->at;
	int32_t character = take_unicode(reader);
	if (character < 0) {
		pv_reader_take(reader, 2);
	} else if (is_first_half(character)) {
		struct pv_reader ahead = *reader;
		if (!is_second_half(take_unicode(&ahead)))
			return pv_buf_append(marking->buf, PV_STR("\\uFFFD"));
		*reader = ahead;
	} else if (is_second_half(character)) {
		return pv_buf_append(marking->buf, PV_STR("\\uFFFD"));
	}
	return pv_buf_append(
	    marking->buf, (struct pv_str){start, (size_t)(reader->at - start)});
}

static bool is_plain(int byte)
{
	return byte >= 0x20 && byte != '"' && byte != '\\';
}

/* A text whose first character is the mark, however it is written, gets it a
 * second time. */
static bool copy_mark(struct marking *marking)
{
	struct pv_reader ahead = marking->reader;
	if (pv_reader_peek(&ahead) != PV_JSON_MARK &&
	    take_unicode(&ahead) != PV_JSON_MARK)
		return true;
	return pv_buf_append_char(marking->buf, PV_JSON_MARK);
}

/* From the quote. */
static bool copy_text(struct marking *marking)
{
	struct pv_reader *reader = &marking->reader;
	const char *start = reader->at;
	pv_reader_next(reader);
	pv_buf_append_char(marking->buf, '"');
	if (!copy_mark(marking))
		return false;
	for (;;) {
		bool has_room = pv_buf_append(
		    marking->buf, pv_reader_take_while(reader, is_plain));
		int byte = pv_reader_peek(reader);
		if (!has_room || byte < 0)
			return false;
		if (byte == '\\') {
			if (!copy_escape(marking))
				return false;
			continue;
		}
		pv_reader_next(reader);
		if (byte == '"')
			break;
		if (!pv_buf_append_format(marking->buf, "\\u%04X", byte))
			return false;
	}
	marking->cost += TEXT_COST + (size_t)(reader->at - start);
	return pv_buf_append_char(marking->buf, '"');
}

static bool is_between(int byte)
{
	return byte != '"' && byte != '-' && byte != '{' && byte != '[' &&
	       byte != '}' && byte != ']' && !pv_is_digit(byte);
}

static bool copy_bracket(struct marking *marking)
{
	int byte = pv_reader_next(&marking->reader);
	if (byte == '{' || byte == '[') {
		marking->depth++;
		marking->cost += GROUP_COST;
	} else if (marking->depth-- == 0) {
		return false;
	}
	return marking->depth <= DEPTH_MAX &&
	       pv_buf_append_char(marking->buf, (char)byte);
}

static bool mark_next(struct marking *marking)
{
	int byte = pv_reader_peek(&marking->reader);
	if (byte == '"')
		return copy_text(marking);
	if (byte == '-' || pv_is_digit(byte))
		return mark_number(marking);
	if (!is_between(byte))
		return copy_bracket(marking);
	return pv_buf_append(
	    marking->buf, pv_reader_take_while(&marking->reader, is_between));
}

bool pv_json_text_mark(struct pv_str text, struct pv_buf *buf)
{
	struct marking marking = {.reader = pv_reader_of(text), .buf = buf};
	while (!pv_reader_is_end(&marking.reader)) {
		if (!mark_next(&marking) || marking.cost > COST_MAX)
			return false;
	}
	return true;
}

/* Values in scripts */

/* From the quote to behind the other one. */
static bool skip_text(struct pv_reader *reader)
{
	pv_reader_next(reader);
	for (;;) {
		int byte = pv_reader_next(reader);
		if (byte == '"')
			return true;
		if (byte == '\\')
			byte = pv_reader_next(reader);
		if (byte < 0)
			return false;
	}
}

static bool is_outside(int byte)
{
	return byte != '"' && byte != '{' && byte != '[' && byte != '}' &&
	       byte != ']';
}

/* From the bracket to behind the one that ends it. */
static bool skip_group(struct pv_reader *reader)
{
	size_t depth = 0;
	do {
		pv_reader_take_while(reader, is_outside);
		int byte = pv_reader_peek(reader);
		if (byte == '"') {
			if (!skip_text(reader))
				return false;
			continue;
		}
		if (pv_reader_next(reader) < 0)
			return false;
		depth += byte == '{' || byte == '[' ? 1 : (size_t)-1;
	} while (depth);
	return true;
}

static bool is_word_byte(int byte)
{
	return pv_is_alnum(byte) || byte == '_' || byte == '$' || byte == '.' ||
	       byte == '+' || byte == '-';
}

/* A word or number is a value if all of it is one. */
static bool skip_word(struct pv_reader *reader)
{
	struct pv_str word = pv_reader_take_while(reader, is_word_byte);
	return word.len <= WORD_MAX &&
	       (pv_str_equal(word, PV_STR("true")) ||
		   pv_str_equal(word, PV_STR("false")) ||
		   pv_str_equal(word, PV_STR("null")) ||
		   pv_json_text_is_number(word));
}

enum found { NOT_HERE, NO_END, HERE };

/* `seen` is as far as it was looked where no value begins. */
static enum found find_here(
    struct pv_str text, struct pv_str *value, const char **seen)
{
	struct pv_reader reader = pv_reader_of(text);
	pv_reader_take_while(&reader, is_space);
	const char *start = reader.at;
	int byte = pv_reader_peek(&reader);
	if (byte == '"' || byte == '{' || byte == '[') {
		if (byte == '"' ? !skip_text(&reader) : !skip_group(&reader))
			return NO_END;
	} else if (!skip_word(&reader)) {
		*seen = reader.at;
		return NOT_HERE;
	}
	*value = (struct pv_str){start, (size_t)(reader.at - start)};
	return HERE;
}

/* Nothing is read again and again: a value that has no end goes to the end of
 * the script, and so is the last; and where white space or a word too long for
 * a value has been looked at, no value begins in the midst of it, either. */
struct pv_str pv_json_find_value(struct pv_str script, struct pv_str after)
{
	struct pv_str value = {NULL, 0};
	struct pv_str rest = script;
	enum found found = NOT_HERE;
	const char *seen = script.ptr;
	while (found == NOT_HERE) {
		const char *at = memmem(pv_str_bytes(rest), rest.len,
		    pv_str_bytes(after), after.len);
		if (!at)
			break;
		rest = pv_str_from(rest, (size_t)(at - rest.ptr) + after.len);
		if (seen <= rest.ptr || seen - rest.ptr <= WORD_MAX)
			found = find_here(rest, &value, &seen);
		if (!after.len)
			break;
	}
	return value;
}
