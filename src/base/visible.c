#include "base/visible.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/utf8.h"

/* Characters that change how others are shown: C1 controls, zero-width and
 * bidirectional marks, line and paragraph separators, tags, the BOM. */
static bool is_treacherous(int32_t character)
{
	return (character >= 0x80 && character < 0xa0) ||
	       (character >= 0x200b && character <= 0x200f) ||
	       (character >= 0x2028 && character <= 0x202e) ||
	       (character >= 0x2060 && character <= 0x206f) ||
	       character == 0x061c || character == 0xfeff ||
	       (character >= 0xe0000 && character <= 0xe0fff);
}

static bool append_escaped(struct pv_buf *buf, int32_t character)
{
	if (character == '\n')
		return pv_buf_append_text(buf, "\\n");
	if (character == '\r')
		return pv_buf_append_text(buf, "\\r");
	if (character == '\t')
		return pv_buf_append_text(buf, "\\t");
	if (character < 0x80)
		return pv_buf_append_format(
		    buf, "\\x%02x", (unsigned)character);
	return pv_buf_append_format(buf, "\\u{%04x}", (unsigned)character);
}

bool pv_visible_append(struct pv_buf *buf, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	bool is_whole = true;
	while (!pv_reader_is_end(&reader) && is_whole) {
		const char *start = reader.at;
		int32_t character = pv_utf8_next(&reader);
		struct pv_str bytes = {start, (size_t)(reader.at - start)};
		if (character == PV_UTF8_INVALID)
			is_whole = pv_buf_append_format(
			    buf, "\\x%02x", (unsigned char)*start);
		else if (pv_is_control(character) || is_treacherous(character))
			is_whole = append_escaped(buf, character);
		else
			is_whole = pv_buf_append(buf, bytes);
	}
	return is_whole;
}

/* What printf makes is cut to a byte more than there is room for, which tells
 * that it was cut and is not appended: nothing becomes shorter by being made
 * visible, so the bytes that a cut leaves of a character find no room. */
bool pv_visible_append_format_list(
    struct pv_buf *buf, const char *format, va_list list)
{
	va_list again;
	va_copy(again, list);
	int found = vsnprintf(NULL, 0, format, list);
	size_t len = found < 0 ? 0 : (size_t)found;
	size_t room = buf->ceiling - buf->len;
	if (len > room)
		len = room + 1;
	char *text = pv_alloc(len + 1);
	vsnprintf(text, len + 1, format, again);
	va_end(again);
	bool is_whole = pv_visible_append(buf, (struct pv_str){text, len});
	free(text);
	return is_whole && found >= 0;
}
