#include "tree/xpath/number.h"

#include <math.h>
#include <stdint.h>

#include "base/ascii.h"
#include "base/reader.h"

/* More digits than these change nothing that a double holds. */
#define DIGITS_MAX 18
#define WHOLE_MAX 1e15
#define FRACTION_DIGITS_MAX 20

static bool is_space(int byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

struct digits {
	uint64_t value;
	int count;    /* that are in it */
	int exponent; /* of ten, to be multiplied with */
	bool is_any;
};

static void take_digits(
    struct pv_reader *reader, struct digits *digits, bool is_fraction)
{
	while (pv_is_digit(pv_reader_peek(reader))) {
		uint64_t digit = (uint64_t)(pv_reader_next(reader) - '0');
		digits->is_any = true;
		if (digits->count < DIGITS_MAX) {
			digits->value = digits->value * 10 + digit;
			digits->count += digits->value > 0;
			digits->exponent -= is_fraction;
		} else {
			digits->exponent += !is_fraction;
		}
	}
}

double pv_xpath_number_of(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	struct digits digits = {0};
	pv_reader_take_while(&reader, is_space);
	bool is_negative = pv_reader_accept(&reader, '-');
	take_digits(&reader, &digits, false);
	if (pv_reader_accept(&reader, '.'))
		take_digits(&reader, &digits, true);
	pv_reader_take_while(&reader, is_space);
	if (!digits.is_any || !pv_reader_is_end(&reader))
		return NAN;
	double number = (double)digits.value;
	if (digits.exponent < 0)
		number /= pow(10, -digits.exponent);
	else if (number > 0)
		number *= pow(10, digits.exponent);
	return is_negative ? -number : number;
}

/* A fraction of some 15 digits in all, without zeros at its end. */
static void append_fraction(struct pv_buf *buf, double number)
{
	int digits = 14 - (int)floor(log10(number));
	if (digits > FRACTION_DIGITS_MAX)
		digits = FRACTION_DIGITS_MAX;
	size_t start = buf->len;
	pv_buf_append_format(buf, "%.*f", digits, number);
	for (size_t i = start; i < buf->len; i++) {
		if (!pv_is_digit(buf->ptr[i])) /* the locale's point */
			buf->ptr[i] = '.';
	}
	while (buf->len > start && buf->ptr[buf->len - 1] == '0')
		pv_buf_cut(buf, buf->len - 1);
	if (buf->len > start && buf->ptr[buf->len - 1] == '.')
		pv_buf_cut(buf, buf->len - 1);
}

void pv_xpath_number_append(struct pv_buf *buf, double number)
{
	if (isnan(number)) {
		pv_buf_append_text(buf, "NaN");
		return;
	}
	if (number < 0)
		pv_buf_append_char(buf, '-');
	number = fabs(number);
	if (isinf(number))
		pv_buf_append_text(buf, "Infinity");
	else if (number == floor(number) || number >= WHOLE_MAX)
		pv_buf_append_format(buf, "%.0f", number);
	else
		append_fraction(buf, number);
}
