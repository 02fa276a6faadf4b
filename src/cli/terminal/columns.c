#include "cli/terminal/columns.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DOTS ((size_t)3)
#define CHARACTER_SIZE ((size_t)4)

struct character {
	size_t len; /* in bytes; 0 at the end */
	size_t columns;
	bool is_control;
};

static size_t len_of(unsigned char first)
{
	if (first < 0xc2)
		return 1;
	if (first < 0xe0)
		return 2;
	if (first < 0xf0)
		return 3;
	return first < 0xf5 ? 4 : 1;
}

/* Looks at no byte past the terminator, however the text breaks off. */
static struct character character_at(const char *text)
{
	unsigned char first = (unsigned char)*text;
	size_t len = len_of(first);
	uint32_t code = first & (0x7fu >> (len > 1 ? len : 0));
	if (!first)
		return (struct character){0};
	for (size_t i = 1; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];
		if ((byte & 0xc0) != 0x80)
			return (struct character){1, 1, true};
		code = code << 6 | (byte & 0x3fu);
	}
	bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0) ||
			  (len == 1 && first >= 0x80);
	return (struct character){len, code >= 0x1100 ? 2 : 1, is_control};
}

size_t pv_columns_of(const char *text)
{
	size_t columns = 0;
	struct character next;
	for (; (next = character_at(text)).len; text += next.len)
		columns += next.columns;
	return columns;
}

void pv_columns_fit(const char *text, size_t columns, char *fitted, size_t size)
{
	bool is_cut = pv_columns_of(text) > columns || strlen(text) >= size;
	size_t dots = is_cut ? (columns < DOTS ? columns : DOTS) : 0;
	size_t left = columns - dots;
	size_t len = 0;
	struct character next;
	for (; (next = character_at(text)).len; text += next.len) {
		if (next.columns > left || len + next.len + dots >= size)
			break;
		left -= next.columns;
		if (next.is_control)
			fitted[len] = '?';
		else
			memcpy(fitted + len, text, next.len);
		len += next.is_control ? 1 : next.len;
	}
	memset(fitted + len, '.', dots);
	fitted[len + dots] = '\0';
}

/* The longest end of that width; never begins within a character. */
static const char *end_of(const char *text, size_t columns)
{
	size_t left = pv_columns_of(text);
	struct character next;
	while (left > columns && (next = character_at(text)).len) {
		left -= next.columns;
		text += next.len;
	}
	return text;
}

void pv_columns_fit_ends(
    const char *text, size_t columns, char *fitted, size_t size)
{
	size_t tail = columns > 2 * DOTS ? (columns - DOTS) / 2 : 0;
	const char *end = end_of(text, tail);
	if (pv_columns_of(text) <= columns || !tail ||
	    strlen(end) + columns * CHARACTER_SIZE >= size) {
		pv_columns_fit(text, columns, fitted, size);
		return;
	}
	pv_columns_fit(text, columns - pv_columns_of(end), fitted, size);
	size_t len = strlen(fitted);
	pv_columns_fit(end, tail, fitted + len, size - len);
}
