#include "url/percent.h"

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
	while (!pv_reader_is_end(&reader)) {
		pv_buf_append(buf, take_plain(&reader, set));
		if (!pv_reader_is_end(&reader))
			pv_percent_append_byte(
			    buf, (char)pv_reader_next(&reader));
	}
}
