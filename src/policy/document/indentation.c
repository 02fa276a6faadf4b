#include "policy/document/indentation.h"

#include <stdint.h>

#include "base/reader.h"

static bool is_space(int byte)
{
	return byte == ' ';
}

/* Where a line begins; behind the dash of an item, where `is_within` it. False
 * for a line without anything but a comment. */
static bool find_start(struct pv_str line, bool is_within, size_t *column)
{
	struct pv_reader reader = pv_reader_of(line);
	pv_reader_take_while(&reader, is_space);
	while (is_within && pv_reader_accept_str(&reader, PV_STR("- ")))
		pv_reader_take_while(&reader, is_space);
	*column = (size_t)(reader.at - line.ptr);
	return !pv_reader_is_end(&reader) && pv_reader_peek(&reader) != '#';
}

static struct pv_str line_of(struct pv_str text, size_t line)
{
	struct pv_reader reader = pv_reader_of(text);
	for (size_t i = 0; i < line; i++)
		pv_reader_take_line(&reader);
	return pv_reader_take_line(&reader);
}

static bool is_item(struct pv_str line)
{
	return pv_str_starts(pv_str_trim(line), PV_STR("- "));
}

/* A line that is deeper than the one above it should align with that; else
 * with the least deep of those above that are deeper than it. */
bool pv_indentation_find(
    struct pv_str text, size_t line, struct pv_indentation *found)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str wrong = line_of(text, line);
	struct pv_indentation above = {0};
	struct pv_indentation deeper = {.wanted_column = SIZE_MAX};
	size_t column;
	if (!find_start(wrong, false, &column))
		return false;
	above.wanted_column = column;
	for (size_t i = 0; i < line; i++) {
		size_t at;
		if (!find_start(
			pv_reader_take_line(&reader), !is_item(wrong), &at))
			continue;
		above = (struct pv_indentation){column, i, at};
		if (at <= column)
			deeper.wanted_column = SIZE_MAX;
		else if (at <= deeper.wanted_column)
			deeper = above;
	}
	*found = above.wanted_column < column ? above : deeper;
	return above.wanted_column != column;
}
