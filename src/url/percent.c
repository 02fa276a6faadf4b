#include "url/percent.h"

#include "base/ascii.h"
#include "base/reader.h"

#define USERINFO PV_PERCENT_USERINFO
#define PATH (PV_PERCENT_PATH | USERINFO)
#define QUERY PV_PERCENT_QUERY
#define FRAGMENT PV_PERCENT_FRAGMENT

const uint8_t pv_percent_sets[256] = {
    [0x00 ... 0x20] = PATH | QUERY | FRAGMENT,
    ['"'] = PATH | QUERY | FRAGMENT,
    ['#'] = PATH | QUERY,
    ['\''] = QUERY,
    ['/'] = USERINFO,
    [':'] = USERINFO,
    [';'] = USERINFO,
    ['<'] = PATH | QUERY | FRAGMENT,
    ['='] = USERINFO,
    ['>'] = PATH | QUERY | FRAGMENT,
    ['?'] = PATH,
    ['@'] = USERINFO,
    ['['] = USERINFO,
    ['\\'] = USERINFO,
    [']'] = USERINFO,
    ['^'] = PATH,
    ['`'] = PATH | FRAGMENT,
    ['{'] = PATH,
    ['|'] = USERINFO,
    ['}'] = PATH,
    [0x7f ... 0xff] = PATH | QUERY | FRAGMENT,
};

void pv_percent_append_byte(struct pv_buf *buf, char byte)
{
	static const char digits[] = "0123456789ABCDEF";
	unsigned value = (unsigned char)byte;
	char text[] = {'%', digits[value >> 4], digits[value & 15]};
	pv_buf_append(buf, (struct pv_str){text, sizeof(text)});
}

static struct pv_str take_plain(
    struct pv_reader *reader, enum pv_percent_set set)
{
	struct pv_str rest = pv_reader_rest(reader);
	size_t len = 0;
	while (len < rest.len && !pv_percent_has(set, rest.ptr[len]))
		len++;
	return pv_reader_take(reader, len);
}

void pv_percent_append(
    struct pv_buf *buf, struct pv_str text, enum pv_percent_set set)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader) && !buf->is_full) {
		pv_buf_append(buf, take_plain(&reader, set));
		if (!pv_reader_is_end(&reader))
			pv_percent_append_byte(
			    buf, (char)pv_reader_next(&reader));
	}
}

/* The byte that "%XX" stands for; -1, with nothing taken, if it is none. */
static int take_escape(struct pv_reader *reader)
{
	struct pv_reader ahead = *reader;
	bool is_mark = pv_reader_accept(&ahead, '%');
	int high = pv_hex_value(pv_reader_next(&ahead));
	int low = pv_hex_value(pv_reader_next(&ahead));
	if (!is_mark || high < 0 || low < 0)
		return -1;
	*reader = ahead;
	return high * 16 + low;
}

void pv_percent_decode(struct pv_buf *buf, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader) && !buf->is_full) {
		int byte = take_escape(&reader);
		if (byte < 0)
			byte = pv_reader_next(&reader);
		pv_buf_append_char(buf, (char)byte);
	}
}
