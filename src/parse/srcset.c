#include "parse/srcset.h"

#include "base/ascii.h"

/* A longer descriptor is as good as a wrong one. */
#define DESCRIPTOR_LEN_MAX 60

/* The descriptors of one image, as far as their being right depends on each
 * other: "w" and "h" go together, "x" stands alone. */
struct descriptors {
	bool has_width, has_density, has_height, is_wrong;
};

static bool is_space_or_comma(int32_t character)
{
	return pv_value_is_space(character) || character == ',';
}

static bool is_within_address(int32_t character)
{
	return !pv_value_is_space(character);
}

static size_t skip_digits(struct pv_reader *reader)
{
	size_t left = pv_reader_left(reader);
	while (pv_is_digit(pv_reader_peek(reader)))
		pv_reader_next(reader);
	return left - pv_reader_left(reader);
}

/* "0" to "007": a valid non-negative integer; whether it is not 0. */
static bool is_positive_integer(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	size_t digits = skip_digits(&reader);
	bool is_zero = true;
	for (size_t i = 0; i < digits; i++)
		is_zero = is_zero && text.ptr[i] == '0';
	return digits && !is_zero && pv_reader_is_end(&reader);
}

/* A valid floating-point number, and not below zero:
 * https://html.spec.whatwg.org/#valid-floating-point-number */
static bool is_density(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	bool is_negative = pv_reader_accept(&reader, '-');
	struct pv_str number = pv_reader_rest(&reader);
	size_t digits = skip_digits(&reader);
	if (pv_reader_accept(&reader, '.'))
		digits = skip_digits(&reader);
	if (!digits)
		return false;
	number.len -= pv_reader_left(&reader);
	if (pv_reader_accept(&reader, 'e') || pv_reader_accept(&reader, 'E')) {
		if (!pv_reader_accept(&reader, '-'))
			pv_reader_accept(&reader, '+');
		if (!skip_digits(&reader))
			return false;
	}
	for (size_t i = 0; is_negative && i < number.len; i++)
		is_negative = number.ptr[i] == '0' || number.ptr[i] == '.';
	bool is_below_zero = text.ptr[0] == '-' && !is_negative;
	return !is_below_zero && pv_reader_is_end(&reader);
}

static void read_descriptor(struct descriptors *descriptors, struct pv_str text)
{
	if (!text.len)
		return;
	struct pv_str number = pv_str_head(text, text.len - 1);
	bool is_right = false;
	switch (text.ptr[text.len - 1]) {
	case 'w':
		is_right = is_positive_integer(number) &&
			   !descriptors->has_width && !descriptors->has_density;
		descriptors->has_width = true;
		break;
	case 'x':
		is_right = is_density(number) && !descriptors->has_width &&
			   !descriptors->has_density &&
			   !descriptors->has_height;
		descriptors->has_density = true;
		break;
	case 'h':
		is_right = is_positive_integer(number) &&
			   !descriptors->has_height &&
			   !descriptors->has_density;
		descriptors->has_height = true;
		break;
	}
	if (!is_right)
		descriptors->is_wrong = true;
}

/* One descriptor; what stands in parentheses belongs to it, white space and
 * commas included. The character behind it stays. */
static void take_descriptor(
    struct pv_value_cursor *cursor, struct descriptors *descriptors)
{
	char text[DESCRIPTOR_LEN_MAX];
	size_t len = 0;
	bool is_within = false;
	for (; cursor->character >= 0; pv_value_next(cursor)) {
		int32_t character = cursor->character;
		if (!is_within && is_space_or_comma(character))
			break;
		if (character == '(' || character == ')')
			is_within = character == '(';
		if (len < DESCRIPTOR_LEN_MAX)
			text[len] = (char)(character < 0x80 ? character : '?');
		len++;
	}
	if (len > DESCRIPTOR_LEN_MAX)
		descriptors->is_wrong = true;
	else
		read_descriptor(descriptors, (struct pv_str){text, len});
}

/* All descriptors of an image; whether it counts. */
static bool take_descriptors(struct pv_value_cursor *cursor)
{
	struct descriptors all = {.is_wrong = false};
	while (cursor->character >= 0 && cursor->character != ',') {
		pv_value_take_while(cursor, pv_value_is_space);
		take_descriptor(cursor, &all);
	}
	return !all.is_wrong && (all.has_width || !all.has_height);
}

/* Commas at its end say that it has no descriptors. */
static bool has_commas(struct pv_str *address)
{
	size_t len = address->len;
	while (address->len && address->ptr[address->len - 1] == ',')
		address->len--;
	return address->len < len;
}

void pv_srcset_init(struct pv_srcset *srcset, struct pv_str value)
{
	srcset->cursor = pv_value_cursor_of(value);
}

bool pv_srcset_next(struct pv_srcset *srcset, struct pv_str *address)
{
	struct pv_value_cursor *cursor = &srcset->cursor;
	for (;;) {
		pv_value_take_while(cursor, is_space_or_comma);
		if (cursor->character < 0)
			return false;
		*address = pv_value_take_while(cursor, is_within_address);
		if (has_commas(address) || take_descriptors(cursor))
			return true;
	}
}
