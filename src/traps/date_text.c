#include "traps/date_text.h"

#include "base/ascii.h"
#include "base/day.h"

#define YEAR_MIN 1000
#define YEAR_MAX 9999

/* How dates are written somewhere. */
struct form {
	char separator;      /* 0: a dash or a slash, which may be escaped */
	size_t least_digits; /* of a month and a day */
};

bool pv_date_take_digits(
    struct pv_reader *rest, size_t least, size_t most, unsigned *number)
{
	struct pv_reader at = *rest;
	size_t count = 0;
	*number = 0;
	for (; pv_is_digit(pv_reader_peek(&at)); count++) {
		if (count == most)
			return false;
		*number = *number * 10 + (unsigned)(pv_reader_next(&at) - '0');
	}
	if (count < least)
		return false;
	*rest = at;
	return true;
}

bool pv_date_make_span(
    unsigned year, unsigned month, unsigned day, struct pv_date_span *span)
{
	unsigned first_month = month ? month : 1, first_day = day ? day : 1;
	unsigned last_month = month ? month : 12;
	if (year < YEAR_MIN || year > YEAR_MAX ||
	    !pv_day_is_date(year, first_month, first_day))
		return false;
	unsigned last_day = day ? day : pv_day_month_length(year, last_month);
	span->first = pv_day_of_date(year, first_month, first_day);
	span->last = pv_day_of_date(year, last_month, last_day);
	return true;
}

static bool take_separator(struct pv_reader *rest, char separator)
{
	if (separator)
		return pv_reader_accept(rest, separator);
	return pv_reader_accept(rest, '-') || pv_reader_accept(rest, '/') ||
	       pv_reader_accept_str(rest, PV_STR("%2F")) ||
	       pv_reader_accept_str(rest, PV_STR("%2f"));
}

/* No date goes on behind itself with letters, but for a time of day. */
static bool is_end_of_day(const struct pv_reader *rest)
{
	int next = pv_reader_peek(rest);
	return next == 'T' || !pv_is_alnum(next);
}

/* Nor a month with further numbers: that is an article's number, a version. */
static bool is_end_of_month(const struct pv_reader *rest)
{
	struct pv_reader behind = *rest;
	int next = pv_reader_next(&behind);
	if (next == '-' || next == '.')
		return !pv_is_digit(pv_reader_peek(&behind));
	return !pv_is_alnum(next);
}

/* "W20", which begins on one of the days around this one. */
static bool take_week(
    struct pv_reader *rest, unsigned year, struct pv_date_span *span)
{
	unsigned week;
	if (!pv_date_take_digits(rest, 2, 2, &week) || week < 1 || week > 53 ||
	    !is_end_of_day(rest))
		return false;
	span->first = pv_day_of_date(year, 1, 1) + (week - 1) * 7;
	span->last = span->first + 6;
	return true;
}

static bool take_date(
    struct pv_reader *rest, const struct form *form, struct pv_date_span *span)
{
	unsigned year, month, day;
	size_t least = form->least_digits;
	if (!pv_date_take_digits(rest, 4, 4, &year) || year < YEAR_MIN ||
	    !take_separator(rest, form->separator))
		return false;
	if (pv_reader_accept(rest, 'W'))
		return take_week(rest, year, span);
	if (!pv_date_take_digits(rest, least, 2, &month) || !month)
		return false;
	struct pv_reader behind = *rest;
	if (take_separator(&behind, form->separator) &&
	    pv_date_take_digits(&behind, least, 2, &day) && day &&
	    is_end_of_day(&behind) &&
	    pv_date_make_span(year, month, day, span)) {
		*rest = behind;
		return true;
	}
	return is_end_of_month(rest) && pv_date_make_span(year, month, 0, span);
}

static bool is_of_word(int byte)
{
	return pv_is_alnum(byte) || byte == '%';
}

static bool is_number(struct pv_str word)
{
	struct pv_reader rest = pv_reader_of(word);
	pv_reader_take_while(&rest, pv_is_digit);
	return word.len && pv_reader_is_end(&rest);
}

bool pv_date_take_dashed(struct pv_reader *rest, struct pv_date_span *span)
{
	static const struct form dashed = {'-', 2};
	bool is_behind_number = false;
	while (!pv_reader_is_end(rest)) {
		struct pv_reader at = *rest;
		if (!is_behind_number && take_date(&at, &dashed, span)) {
			*rest = at;
			return true;
		}
		is_behind_number =
		    is_number(pv_reader_take_while(rest, is_of_word));
		pv_reader_next(rest);
	}
	return false;
}

bool pv_date_read_path(
    struct pv_str path, bool is_loose, struct pv_date_span *span)
{
	const struct form slashed = {'/', is_loose ? 1 : 2};
	struct pv_reader rest = pv_reader_of(path);
	return take_date(&rest, &slashed, span);
}

bool pv_date_read_value(struct pv_str value, struct pv_date_span *span)
{
	static const struct form any = {0, 1};
	struct pv_reader rest = pv_reader_of(value);
	return take_date(&rest, &any, span);
}

bool pv_date_read_compact(struct pv_str text, struct pv_date_span *span)
{
	struct pv_reader rest = pv_reader_of(text);
	unsigned number;
	return pv_date_take_digits(&rest, 8, 8, &number) &&
	       pv_reader_is_end(&rest) && number % 100 && number / 100 % 100 &&
	       pv_date_make_span(
		   number / 10000, number / 100 % 100, number % 100, span);
}
