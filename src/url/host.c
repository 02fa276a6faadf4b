#include "url/host.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "base/utf8.h"
#include "url/idna.h"
#include "url/ipv4.h"

/* What a byte is to a name ("forbidden domain code point"). */
enum byte_kind {
	PLAIN,     /* stands as it is */
	CAPITAL,   /* becomes small */
	FORBIDDEN, /* in no name, however it is written */
	BEYOND,    /* not ASCII */
};

static const uint8_t kinds[256] = {
    [0x00 ... 0x20] = FORBIDDEN,
    ['#'] = FORBIDDEN,
    ['%'] = FORBIDDEN,
    ['/'] = FORBIDDEN,
    [':'] = FORBIDDEN,
    ['<'] = FORBIDDEN,
    ['>'] = FORBIDDEN,
    ['?'] = FORBIDDEN,
    ['@'] = FORBIDDEN,
    ['A' ... 'Z'] = CAPITAL,
    ['['] = FORBIDDEN,
    ['\\'] = FORBIDDEN,
    [']'] = FORBIDDEN,
    ['^'] = FORBIDDEN,
    ['|'] = FORBIDDEN,
    [0x7f] = FORBIDDEN,
    [0x80 ... 0xff] = BEYOND,
};

/* The kind that is furthest from plain among the bytes of a text. */
static enum byte_kind worst_kind(struct pv_str text)
{
	uint8_t worst = PLAIN;
	for (size_t i = 0; i < text.len; i++) {
		uint8_t kind = kinds[(unsigned char)text.ptr[i]];
		if (kind > worst)
			worst = kind;
	}
	return (enum byte_kind)worst;
}

/* The byte that follows a percent sign in two hexadecimal digits; -1, with
 * nothing taken, if there is none. */
static int take_percent_byte(struct pv_reader *reader)
{
	struct pv_reader ahead = *reader;
	int high = pv_hex_value(pv_reader_next(&ahead));
	int low = pv_hex_value(pv_reader_next(&ahead));
	if (high < 0 || low < 0)
		return -1;
	*reader = ahead;
	return high << 4 | low;
}

static void percent_decode(struct pv_str text, struct pv_buf *decoded)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader)) {
		struct pv_str run = pv_reader_take_until(&reader, '%');
		pv_buf_append(decoded, run);
		if (!pv_reader_accept(&reader, '%'))
			return;
		int byte = take_percent_byte(&reader);
		pv_buf_append_char(decoded, byte < 0 ? '%' : (char)byte);
	}
}

/* ASCII only needs small letters, even with labels that begin with "xn--",
 * be they right or wrong ("domain to ASCII", beStrict false). */
static bool append_ascii(struct pv_buf *canonical, struct pv_str name)
{
	char *room = pv_buf_reserve(canonical, name.len);
	if (!room)
		return false;
	for (size_t i = 0; i < name.len; i++)
		room[i] = pv_lower(name.ptr[i]);
	room[name.len] = '\0';
	canonical->len += name.len;
	return true;
}

static bool append_domain(struct pv_buf *canonical, struct pv_str name)
{
	if (worst_kind(name) != BEYOND)
		return append_ascii(canonical, name);
	return pv_utf8_find_invalid(name) == PV_NOT_FOUND &&
	       pv_idna_append(canonical, name);
}

static bool append_name(struct pv_buf *canonical, struct pv_str text)
{
	enum byte_kind worst = worst_kind(text);
	if (worst == PLAIN)
		return pv_buf_append(canonical, text);
	if (worst == CAPITAL)
		return append_ascii(canonical, text);
	struct pv_buf decoded;
	pv_buf_init(&decoded, text.len);
	percent_decode(text, &decoded);
	bool is_done = append_domain(canonical, pv_buf_str(&decoded));
	pv_buf_finish(&decoded);
	return is_done;
}

/* Turns what was appended from `start` on into an address, if it is meant to
 * be one; false if it is neither that nor a name. */
static bool settle(
    struct pv_buf *canonical, size_t start, struct pv_address *address)
{
	struct pv_str name = pv_str_from(pv_buf_str(canonical), start);
	struct pv_address read = {.bits = 0};
	uint32_t number;
	if (!name.len || worst_kind(name) != PLAIN)
		return false;
	if (pv_ipv4_is_meant(name)) {
		if (!pv_ipv4_read(name, &number))
			return false;
		read.bits = 32;
		for (unsigned i = 0; i < 4; i++)
			read.bytes[i] = (uint8_t)(number >> (24 - 8 * i));
		pv_buf_cut(canonical, start);
		if (!pv_host_write_address(&read, canonical))
			return false;
	}
	*address = read;
	return true;
}

static bool read_brackets(
    struct pv_str text, struct pv_buf *canonical, struct pv_address *address)
{
	struct pv_address read;
	if (text.len < 2 || text.ptr[text.len - 1] != ']')
		return false;
	struct pv_str inner = {text.ptr + 1, text.len - 2};
	if (!pv_address_read(inner, &read) || read.bits != 128 ||
	    !pv_host_write_address(&read, canonical))
		return false;
	*address = read;
	return true;
}

bool pv_host_read(
    struct pv_str text, struct pv_buf *canonical, struct pv_address *address)
{
	size_t start = canonical->len;
	bool is_host;
	if (text.len && text.ptr[0] == '[')
		is_host = read_brackets(text, canonical, address);
	else
		is_host = append_name(canonical, text) &&
			  settle(canonical, start, address);
	if (!is_host)
		pv_buf_cut(canonical, start);
	return is_host;
}

static unsigned piece_of(const struct pv_address *address, unsigned i)
{
	return (unsigned)address->bytes[2 * i] << 8 | address->bytes[2 * i + 1];
}

/* Where the first of the longest runs of zeros begins, and its length, which
 * is 0 if no run is longer than one piece. */
static unsigned find_zeros(const struct pv_address *address, unsigned *len)
{
	unsigned best = 0, begin = 0;
	*len = 0;
	for (unsigned i = 0; i < 8; i++) {
		if (piece_of(address, i)) {
			begin = i + 1;
		} else if (i > begin && i + 1 - begin > *len) {
			best = begin;
			*len = i + 1 - begin;
		}
	}
	return best;
}

static bool write_ipv6(
    const struct pv_address *address, struct pv_buf *canonical)
{
	unsigned zeros_len;
	unsigned zeros = find_zeros(address, &zeros_len);
	bool is_done = pv_buf_append_char(canonical, '[');
	for (unsigned i = 0; i < 8; i++) {
		if (zeros_len && i == zeros) {
			is_done &= pv_buf_append_text(canonical, "::");
			i += zeros_len - 1;
			continue;
		}
		bool is_first = i == 0 || (zeros_len && i == zeros + zeros_len);
		is_done &= pv_buf_append_format(canonical, "%s%x",
		    is_first ? "" : ":", piece_of(address, i));
	}
	return is_done & pv_buf_append_char(canonical, ']');
}

bool pv_host_write_address(
    const struct pv_address *address, struct pv_buf *canonical)
{
	if (address->bits == 128)
		return write_ipv6(address, canonical);
	return pv_address_write(address, canonical);
}
