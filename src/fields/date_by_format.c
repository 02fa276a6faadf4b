#include "base/ascii.h"
#include "base/day.h"
#include "fields/date_parts.h"
#include "policy/values/date_format.h"

#define SECONDS_MAX UINT64_C(253402300799) /* the end of the year 9999 */
#define NAME_LEAST 3

static const char *const months[] = {"January", "February", "March", "April",
    "May", "June", "July", "August", "September", "October", "November",
    "December"};

struct reading {
	struct pv_reader text;
	struct pv_date_parts *parts;
	unsigned year_day; /* 0: none */
	bool is_afternoon;
	bool has_half; /* a or p */
};

/* White space and at most so many digits. */
static bool take_number(struct reading *reading, size_t most, unsigned *number)
{
	struct pv_reader *text = &reading->text;
	struct pv_reader ahead;
	pv_reader_take_while(text, pv_is_blank);
	ahead = *text;
	size_t len = pv_reader_take_while(&ahead, pv_is_digit).len;
	return len > 0 &&
	       pv_civil_date_take_digits(text, len < most ? len : most, number);
}

static bool take_short_year(struct reading *reading, unsigned *year)
{
	if (!pv_civil_date_take_digits(&reading->text, 2, year))
		return false;
	*year += *year < 69 ? 2000 : 1900; /* POSIX, strptime */
	return true;
}

/* "Nov", "Sept", "november" */
static bool take_month(struct reading *reading, unsigned *month)
{
	struct pv_str word = pv_reader_take_while(&reading->text, pv_is_alpha);
	if (word.len < NAME_LEAST)
		return false;
	for (*month = 1; *month <= 12; ++*month) {
		struct pv_str name = pv_str_of(months[*month - 1]);
		if (word.len <= name.len &&
		    pv_str_equal_nocase(pv_str_head(name, word.len), word))
			return true;
	}
	return false;
}

/* "AM", "p.m." */
static bool take_half(struct reading *reading)
{
	char letter = pv_lower((char)pv_reader_next(&reading->text));
	pv_reader_accept(&reading->text, '.');
	if (pv_lower((char)pv_reader_next(&reading->text)) != 'm')
		return false;
	pv_reader_accept(&reading->text, '.');
	reading->has_half = true;
	reading->is_afternoon = letter == 'p';
	return letter == 'a' || letter == 'p';
}

static bool take_fraction(struct reading *reading)
{
	reading->parts->fraction =
	    pv_reader_take_while(&reading->text, pv_is_digit);
	return reading->parts->fraction.len > 0;
}

static bool take_seconds(struct reading *reading)
{
	uint64_t seconds;
	if (!pv_reader_take_number(&reading->text, SECONDS_MAX, &seconds))
		return false;
	reading->parts->date = pv_civil_date_of_ms((int64_t)seconds * 1000);
	reading->parts->has_zone = true;
	return true;
}

static bool take_of_date(struct reading *reading, char directive)
{
	struct pv_civil_date *date = &reading->parts->date;
	switch (directive) {
	case 'Y':
		return pv_civil_date_take_digits(
		    &reading->text, 4, &date->year);
	case 'y':
		return take_short_year(reading, &date->year);
	case 'm':
		return take_number(reading, 2, &date->month);
	case 'd':
	case 'e':
		return take_number(reading, 2, &date->day);
	case 'j':
		return take_number(reading, 3, &reading->year_day) &&
		       reading->year_day > 0;
	case 'b':
	case 'B':
	case 'h':
		return take_month(reading, &date->month);
	default: /* a day's name */
		return pv_reader_take_while(&reading->text, pv_is_alpha).len >
		       0;
	}
}

static bool take_of_time(struct reading *reading, char directive)
{
	struct pv_civil_date *date = &reading->parts->date;
	switch (directive) {
	case 'H':
		return take_number(reading, 2, &date->hour);
	case 'I':
		return take_number(reading, 2, &date->hour) && date->hour > 0 &&
		       date->hour <= 12;
	case 'M':
		return take_number(reading, 2, &date->minute);
	case 'S':
		return take_number(reading, 2, &date->second);
	case 'f':
		return take_fraction(reading);
	case 'p':
		return take_half(reading);
	case 's':
		return take_seconds(reading);
	case 'z':
	case 'Z':
		return pv_date_parts_take_zone(&reading->text, reading->parts);
	default:
		return take_of_date(reading, directive);
	}
}

static bool is_space(int byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool take_item(struct reading *reading, struct pv_date_item item)
{
	if (item.directive)
		return take_of_time(reading, item.directive);
	if (is_space(item.byte)) {
		pv_reader_take_while(&reading->text, is_space);
		return true;
	}
	int byte = pv_reader_next(&reading->text);
	return byte >= 0 && pv_lower((char)byte) == pv_lower(item.byte);
}

/* Of a year's day its month, of half a day its hour. */
static bool complete(const struct reading *reading)
{
	struct pv_civil_date *date = &reading->parts->date;
	if (reading->has_half)
		date->hour = date->hour % 12 + (reading->is_afternoon ? 12 : 0);
	if (!reading->year_day)
		return true;
	date->day = reading->year_day;
	for (date->month = 1; date->month <= 12; date->month++) {
		unsigned len = pv_day_month_length(date->year, date->month);
		if (date->day <= len)
			return true;
		date->day -= len;
	}
	return false;
}

bool pv_date_parts_read_format(
    struct pv_str text, struct pv_str format, struct pv_date_parts *parts)
{
	struct pv_reader items = pv_reader_of(format);
	struct reading reading = {.text = pv_reader_of(text), .parts = parts};
	struct pv_date_item item;
	*parts = (struct pv_date_parts){
	    .date = {.month = 1, .day = 1},
	    .has_time = pv_date_format_has_time(format),
	};
	while (pv_date_format_next(&items, &item)) {
		if (!take_item(&reading, item))
			return false;
	}
	return pv_reader_is_end(&reading.text) && complete(&reading);
}
