#include "fields/white_space.h"

#include "base/utf8.h"

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

bool pv_white_space_collapse(struct pv_str text, struct pv_buf *buf)
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
