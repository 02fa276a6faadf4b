#include "policy/yaml_text.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "base/utf8.h"
#include "policy/document/yaml_fault.h"
#include "policy/kind.h"

static bool is_plain_byte(int byte)
{
	return pv_is_alnum(byte) || (byte > 0 && strchr("_./+@:~=-", byte));
}

static bool is_plain(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	int first = pv_reader_peek(&reader);
	if (!pv_is_alpha(first) && first != '/')
		return false;
	pv_reader_take_while(&reader, is_plain_byte);
	return pv_reader_is_end(&reader) && text.ptr[text.len - 1] != ':' &&
	       pv_word_is_text(text);
}

/* Whether YAML takes the character as it is between double quotes. */
static bool is_shown(int32_t character)
{
	return character >= 0x20 && character != '"' && character != '\\' &&
	       pv_yaml_is_printable(character);
}

static void append_escaped(struct pv_buf *buf, int32_t character)
{
	if (character == '"' || character == '\\')
		pv_buf_append_format(buf, "\\%c", (char)character);
	else if (character == '\n')
		pv_buf_append_text(buf, "\\n");
	else if (character == '\t')
		pv_buf_append_text(buf, "\\t");
	else
		pv_buf_append_format(buf, "\\u%04X", (unsigned)character);
}

void pv_yaml_text_append(struct pv_str text, struct pv_buf *buf)
{
	if (is_plain(text)) {
		pv_buf_append(buf, text);
		return;
	}
	struct pv_reader reader = pv_reader_of(text);
	pv_buf_append_char(buf, '"');
	while (!pv_reader_is_end(&reader)) {
		const char *start = reader.at;
		int32_t character = pv_utf8_next(&reader);
		struct pv_str bytes = {start, (size_t)(reader.at - start)};
		if (character == PV_UTF8_INVALID || is_shown(character))
			pv_buf_append(buf, bytes);
		else
			append_escaped(buf, character);
	}
	pv_buf_append_char(buf, '"');
}
