#include "parse/refresh.h"

#include "base/ascii.h"

static bool is_digit(int32_t character)
{
	return pv_is_digit(character);
}

static bool is_digit_or_dot(int32_t character)
{
	return pv_is_digit(character) || character == '.';
}

static bool accept(struct pv_value_cursor *cursor, char lower)
{
	int32_t character = cursor->character;
	if (character < 0 || character > 0x7f ||
	    pv_lower((char)character) != lower)
		return false;
	pv_value_next(cursor);
	return true;
}

/* The time, whatever it is, and what separates it from the address. */
static bool accept_time(struct pv_value_cursor *cursor)
{
	pv_value_take_while(cursor, pv_value_is_space);
	struct pv_str digits = pv_value_take_while(cursor, is_digit);
	if (!digits.len && cursor->character != '.')
		return false;
	pv_value_take_while(cursor, is_digit_or_dot);
	struct pv_str space = pv_value_take_while(cursor, pv_value_is_space);
	return accept(cursor, ';') || accept(cursor, ',') || space.len;
}

/* "url =", as a whole or not at all. */
static void skip_name(struct pv_value_cursor *cursor)
{
	struct pv_value_cursor ahead = *cursor;
	if (!accept(&ahead, 'u') || !accept(&ahead, 'r') ||
	    !accept(&ahead, 'l'))
		return;
	pv_value_take_while(&ahead, pv_value_is_space);
	if (!accept(&ahead, '='))
		return;
	pv_value_take_while(&ahead, pv_value_is_space);
	*cursor = ahead;
}

bool pv_refresh_read(struct pv_str value, struct pv_str *address)
{
	struct pv_value_cursor cursor = pv_value_cursor_of(value);
	if (!accept_time(&cursor))
		return false;
	pv_value_take_while(&cursor, pv_value_is_space);
	skip_name(&cursor);
	int32_t quote = cursor.character;
	bool is_quoted = quote == '"' || quote == '\'';
	if (is_quoted)
		pv_value_next(&cursor);
	const char *start = cursor.at;
	while (
	    cursor.character >= 0 && !(is_quoted && cursor.character == quote))
		pv_value_next(&cursor);
	*address = (struct pv_str){start, (size_t)(cursor.at - start)};
	return !pv_value_is_blank(*address);
}
