#include "fields/number_text.h"

#include "base/ascii.h"
#include "base/reader.h"

#define DIGITS_MAX 1000
#define GROUP_LEN 3

struct number {
	bool is_negative;
	struct pv_str whole; /* with its marks of groups; may be empty */
	struct pv_str decimals;
	struct pv_str exponent; /* with its letter */
};

/* What may stand between groups of digits, but for "." and ",". */
static const struct pv_str marks[] = {
    PV_STR(" "), PV_STR("\xc2\xa0"),     /* no-break space */
    PV_STR("\xe2\x80\xaf"),              /* narrow no-break space */
    PV_STR("\xe2\x80\x89"),              /* thin space */
    PV_STR("'"), PV_STR("\xe2\x80\x99"), /* apostrophe */
};

static const struct pv_str minuses[] = {
    PV_STR("-"), PV_STR("\xe2\x88\x92"), /* minus */
    PV_STR("\xe2\x80\x93"),              /* en dash */
};

static bool accept_group(struct pv_reader *reader, struct pv_str mark)
{
	struct pv_reader ahead = *reader;
	if (!pv_reader_accept_str(&ahead, mark) ||
	    pv_reader_take_while(&ahead, pv_is_digit).len != GROUP_LEN)
		return false;
	*reader = ahead;
	return true;
}

static void take_groups(struct pv_reader *reader, struct pv_str mark)
{
	while (accept_group(reader, mark))
		;
}

/* Digits, and groups of them if the first have no more than three. */
static struct pv_str take_whole(struct pv_reader *reader, char decimal)
{
	const char *start = reader->at;
	char other = decimal == ',' ? '.' : ',';
	size_t len = pv_reader_take_while(reader, pv_is_digit).len;
	if (len > 0 && len <= GROUP_LEN) {
		const char *end = reader->at;
		take_groups(reader, (struct pv_str){&other, 1});
		for (size_t i = 0;
		     i < sizeof(marks) / sizeof(*marks) && reader->at == end;
		     i++)
			take_groups(reader, marks[i]);
	}
	return (struct pv_str){start, (size_t)(reader->at - start)};
}

static struct pv_str take_decimals(struct pv_reader *reader, char decimal)
{
	struct pv_reader ahead = *reader;
	if (!pv_reader_accept(&ahead, decimal) ||
	    !pv_is_digit(pv_reader_peek(&ahead)))
		return (struct pv_str){NULL, 0};
	struct pv_str digits = pv_reader_take_while(&ahead, pv_is_digit);
	*reader = ahead;
	return digits;
}

/* "e-5", but not the beginning of a word. */
static struct pv_str take_exponent(struct pv_reader *reader)
{
	struct pv_reader ahead = *reader;
	const char *start = ahead.at;
	if (!pv_reader_accept(&ahead, 'e') && !pv_reader_accept(&ahead, 'E'))
		return (struct pv_str){NULL, 0};
	if (!pv_reader_accept(&ahead, '-'))
		pv_reader_accept(&ahead, '+');
	if (!pv_reader_take_while(&ahead, pv_is_digit).len ||
	    pv_is_alpha(pv_reader_peek(&ahead)))
		return (struct pv_str){NULL, 0};
	*reader = ahead;
	return (struct pv_str){start, (size_t)(ahead.at - start)};
}

static bool is_alnum_last(struct pv_str text)
{
	return text.len && pv_is_alnum((unsigned char)text.ptr[text.len - 1]);
}

/* Without the one character, no letter and no space, that may be a currency
 * sign. */
static struct pv_str without_currency(struct pv_str text)
{
	size_t len = text.len;
	if (len && text.ptr[len - 1] == '$')
		return pv_str_head(text, len - 1);
	while (len && ((unsigned char)text.ptr[len - 1] & 0xc0) == 0x80)
		len--;
	if (len < text.len && len)
		len--;
	return pv_str_head(text, len);
}

static bool ends_minus(struct pv_str text)
{
	for (size_t i = 0; i < sizeof(minuses) / sizeof(*minuses); i++) {
		if (pv_str_ends(text, minuses[i]))
			return !is_alnum_last(
			    pv_str_head(text, text.len - minuses[i].len));
	}
	return false;
}

/* Whether what stands in front of a number makes it negative. */
static bool is_negated(struct pv_str before)
{
	return ends_minus(before) || ends_minus(without_currency(before));
}

static bool is_no_digit(int byte)
{
	return !pv_is_digit(byte);
}

/* ".5", which is no "No.5" and no "...5". */
static bool ends_decimal(struct pv_str before, char decimal)
{
	if (!before.len || before.ptr[before.len - 1] != decimal)
		return false;
	struct pv_str rest = pv_str_head(before, before.len - 1);
	return !is_alnum_last(rest) && !pv_str_ends(rest, PV_STR(".")) &&
	       !pv_str_ends(rest, PV_STR(","));
}

/* The only number in the text. */
static bool take_number(struct pv_str text, char decimal, struct number *number)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str before = pv_reader_take_while(&reader, is_no_digit);
	if (pv_reader_is_end(&reader))
		return false;
	*number = (struct number){.whole = {NULL, 0}};
	if (ends_decimal(before, decimal)) {
		before.len--;
		number->decimals = pv_reader_take_while(&reader, pv_is_digit);
	} else {
		number->whole = take_whole(&reader, decimal);
		number->decimals = take_decimals(&reader, decimal);
	}
	number->is_negative = is_negated(before);
	number->exponent = take_exponent(&reader);
	pv_reader_take_while(&reader, is_no_digit);
	return pv_reader_is_end(&reader);
}

/* Zeros in front are left out, but for the last digit. */
static void append_whole(struct pv_buf *buf, struct pv_str whole)
{
	size_t start = buf->len;
	for (size_t i = 0; i < whole.len; i++) {
		if (!pv_is_digit((unsigned char)whole.ptr[i]) ||
		    (whole.ptr[i] == '0' && buf->len == start))
			continue;
		pv_buf_append_char(buf, whole.ptr[i]);
	}
	if (buf->len == start)
		pv_buf_append_char(buf, '0');
}

static bool is_zero(struct pv_str digits)
{
	for (size_t i = 0; i < digits.len; i++) {
		if (digits.ptr[i] >= '1' && digits.ptr[i] <= '9')
			return false;
	}
	return true;
}

bool pv_number_text_read(
    struct pv_str text, char decimal, bool is_integer, struct pv_buf *buf)
{
	struct number number;
	size_t start = buf->len;
	if (!take_number(text, decimal, &number) ||
	    (is_integer &&
		(number.exponent.len || !is_zero(number.decimals))) ||
	    number.whole.len + number.decimals.len + number.exponent.len >
		2 * DIGITS_MAX)
		return false;
	if (number.is_negative && !(is_integer && is_zero(number.whole)))
		pv_buf_append_char(buf, '-');
	append_whole(buf, number.whole);
	if (!is_integer && number.decimals.len) {
		pv_buf_append_char(buf, '.');
		pv_buf_append(buf, number.decimals);
	}
	if (buf->len - start + number.exponent.len <= DIGITS_MAX + 2 &&
	    pv_buf_append(buf, number.exponent) && !buf->is_full)
		return true;
	pv_buf_cut(buf, start);
	return false;
}
