#include "robots/normal.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "url/percent.h"

/* What stays as it is. */
static const bool plain[256] = {
    ['!'] = true,
    ['#' ... '$'] = true,
    ['&' ... ')'] = true,
    ['+' ... ';'] = true,
    ['='] = true,
    ['?' ... '['] = true,
    [']'] = true,
    ['_'] = true,
    ['a' ... 'z'] = true,
    ['~'] = true,
};

static bool is_plain(int byte)
{
	return plain[(unsigned char)byte];
}

/* RFC 3986, 2.3, and the two that are never encoded here. */
static bool is_decoded(int byte)
{
	return pv_is_alnum(byte) || byte == '-' || byte == '.' || byte == '_' ||
	       byte == '~' || byte == '$' || byte == '\'';
}

/* Takes "%XX"; -1, with nothing taken, if it is none. */
static int take_encoded(struct pv_reader *reader)
{
	struct pv_reader ahead = *reader;
	if (!pv_reader_accept(&ahead, '%'))
		return -1;
	int high = pv_hex_value(pv_reader_next(&ahead));
	int low = pv_hex_value(pv_reader_next(&ahead));
	if (high < 0 || low < 0)
		return -1;
	*reader = ahead;
	return high * 16 + low;
}

static void append_next(struct pv_buf *buf, struct pv_reader *reader)
{
	int byte = take_encoded(reader);
	if (byte < 0)
		byte = pv_reader_next(reader);
	if (is_decoded(byte))
		pv_buf_append_char(buf, (char)byte);
	else
		pv_percent_append_byte(buf, (char)byte);
}

bool pv_robots_is_normal(struct pv_str path)
{
	struct pv_reader reader = pv_reader_of(path);
	pv_reader_take_while(&reader, is_plain);
	return pv_reader_is_end(&reader);
}

void pv_robots_append_path(struct pv_buf *buf, struct pv_str path)
{
	struct pv_reader reader = pv_reader_of(path);
	while (!buf->is_full) {
		pv_buf_append(buf, pv_reader_take_while(&reader, is_plain));
		if (pv_reader_is_end(&reader))
			return;
		append_next(buf, &reader);
	}
}

static bool is_asterisk(int byte)
{
	return byte == '*';
}

void pv_robots_append_pattern(struct pv_buf *buf, struct pv_str pattern)
{
	struct pv_reader reader = pv_reader_of(pattern);
	while (!pv_reader_is_end(&reader) && !buf->is_full) {
		pv_robots_append_path(buf, pv_reader_take_until(&reader, '*'));
		if (pv_reader_take_while(&reader, is_asterisk).len)
			pv_buf_append_char(buf, '*');
	}
}
