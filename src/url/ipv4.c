#include "url/ipv4.h"

#include "base/ascii.h"
#include "base/reader.h"

/* Larger than any part may be, so that long numbers need no more bits. */
#define TOO_LARGE ((uint64_t)1 << 32)

static unsigned take_radix(struct pv_reader *digits)
{
	if (pv_reader_left(digits) < 2 || !pv_reader_accept(digits, '0'))
		return 10;
	if (pv_reader_accept(digits, 'x') || pv_reader_accept(digits, 'X'))
		return 16;
	return 8;
}

/* "0x" alone is 0. */
static bool read_number(struct pv_str part, uint64_t *number)
{
	struct pv_reader digits = pv_reader_of(part);
	unsigned radix = take_radix(&digits);
	uint64_t sum = 0;
	if (!part.len)
		return false;
	while (!pv_reader_is_end(&digits)) {
		int digit = pv_hex_value(pv_reader_next(&digits));
		if (digit < 0 || (unsigned)digit >= radix)
			return false;
		sum = sum * radix + (unsigned)digit;
		if (sum > TOO_LARGE)
			sum = TOO_LARGE;
	}
	*number = sum;
	return true;
}

static struct pv_str without_last_dot(struct pv_str text)
{
	bool has_dot = text.len && text.ptr[text.len - 1] == '.';
	return has_dot ? pv_str_head(text, text.len - 1) : text;
}

static bool is_decimal(struct pv_str part)
{
	struct pv_reader reader = pv_reader_of(part);
	while (pv_is_digit(pv_reader_peek(&reader)))
		pv_reader_next(&reader);
	return part.len && pv_reader_is_end(&reader);
}

bool pv_ipv4_is_meant(struct pv_str text)
{
	struct pv_str rest = without_last_dot(text);
	size_t dot = pv_str_find_last(rest, '.');
	struct pv_str last =
	    dot == PV_NOT_FOUND ? rest : pv_str_from(rest, dot + 1);
	uint64_t number;
	return is_decimal(last) || read_number(last, &number);
}

bool pv_ipv4_read(struct pv_str text, uint32_t *address)
{
	struct pv_reader reader = pv_reader_of(without_last_dot(text));
	uint64_t sum = 0;
	for (unsigned left = 4; left > 0; left--) {
		uint64_t number;
		struct pv_str part = pv_reader_take_until(&reader, '.');
		if (!read_number(part, &number))
			return false;
		if (pv_reader_is_end(&reader)) {
			if (number >> (8 * left))
				return false;
			*address = (uint32_t)(sum << (8 * left) | number);
			return true;
		}
		if (number > 255)
			return false;
		sum = sum << 8 | number;
		pv_reader_accept(&reader, '.');
	}
	return false;
}
