#include "base/utf8.h"

static int32_t take_tail(
    struct pv_reader *reader, int32_t first, int count, int32_t least)
{
	struct pv_reader ahead = *reader;
	int32_t character = first;
	for (int i = 0; i < count; i++) {
		int byte = pv_reader_next(&ahead);
		if (byte < 0 || (byte & 0xc0) != 0x80)
			return PV_UTF8_INVALID;
		character = character << 6 | (byte & 0x3f);
	}
	bool is_surrogate = character >= 0xd800 && character <= 0xdfff;
	if (character < least || character > 0x10ffff || is_surrogate)
		return PV_UTF8_INVALID;
	*reader = ahead;
	return character;
}

int32_t pv_utf8_next(struct pv_reader *reader)
{
	int byte = pv_reader_next(reader);
	if (byte < 0)
		return PV_UTF8_END;
	if (byte < 0x80)
		return byte;
	if ((byte & 0xe0) == 0xc0)
		return take_tail(reader, byte & 0x1f, 1, 0x80);
	if ((byte & 0xf0) == 0xe0)
		return take_tail(reader, byte & 0x0f, 2, 0x800);
	if ((byte & 0xf8) == 0xf0)
		return take_tail(reader, byte & 0x07, 3, 0x10000);
	return PV_UTF8_INVALID;
}

bool pv_utf8_append(struct pv_buf *buf, uint32_t character)
{
	char bytes[4];
	size_t len = 0;
	if (character < 0x80) {
		bytes[len++] = (char)character;
	} else if (character < 0x800) {
		bytes[len++] = (char)(0xc0 | character >> 6);
	} else if (character < 0x10000) {
		bytes[len++] = (char)(0xe0 | character >> 12);
		bytes[len++] = (char)(0x80 | (character >> 6 & 0x3f));
	} else {
		bytes[len++] = (char)(0xf0 | character >> 18);
		bytes[len++] = (char)(0x80 | (character >> 12 & 0x3f));
		bytes[len++] = (char)(0x80 | (character >> 6 & 0x3f));
	}
	if (character >= 0x80)
		bytes[len++] = (char)(0x80 | (character & 0x3f));
	return pv_buf_append(buf, (struct pv_str){bytes, len});
}

size_t pv_utf8_find_invalid(struct pv_str str)
{
	struct pv_reader reader = pv_reader_of(str);
	int32_t character;
	do {
		character = pv_utf8_next(&reader);
	} while (character >= 0);
	if (character == PV_UTF8_END)
		return PV_NOT_FOUND;
	return str.len - pv_reader_left(&reader) - 1;
}

struct pv_str pv_utf8_head(struct pv_str str, size_t bytes)
{
	size_t len = str.len < bytes ? str.len : bytes;
	for (unsigned i = 0; i < 3 && len && len < str.len &&
			     ((unsigned char)str.ptr[len] & 0xc0) == 0x80;
	     i++)
		len--;
	return pv_str_head(str, len);
}

bool pv_utf8_append_valid(struct pv_buf *buf, struct pv_str str)
{
	size_t invalid;
	while ((invalid = pv_utf8_find_invalid(str)) != PV_NOT_FOUND) {
		if (!pv_buf_append(buf, pv_str_head(str, invalid)) ||
		    !pv_buf_append(buf, PV_STR("\xef\xbf\xbd")))
			return false;
		str = pv_str_from(str, invalid + 1);
	}
	return pv_buf_append(buf, str);
}

static bool is_space(int32_t c)
{
	return c == ' ' || (c >= 0x09 && c <= 0x0d) || c == 0x85 || c == 0xa0 ||
	       c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
	       c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

static struct pv_str take_word(struct pv_reader *reader)
{
	const char *start = reader->at;
	struct pv_reader ahead = *reader;
	while (!pv_reader_is_end(&ahead) && !is_space(pv_utf8_next(&ahead)))
		*reader = ahead;
	return (struct pv_str){start, (size_t)(reader->at - start)};
}

bool pv_utf8_append_collapsed(struct pv_buf *buf, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	bool is_first = true;
	while (!pv_reader_is_end(&reader)) {
		struct pv_str word = take_word(&reader);
		if (word.len) {
			if (!is_first)
				pv_buf_append_char(buf, ' ');
			if (!pv_buf_append(buf, word))
				return false;
			is_first = false;
		}
		pv_utf8_next(&reader);
	}
	return !buf->is_full;
}
