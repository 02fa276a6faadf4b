#include "http/calendar.h"

#include "base/ascii.h"

static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static bool is_leap(unsigned year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

unsigned pv_calendar_days_of_month(unsigned year, unsigned month)
{
	static const unsigned char lengths[] = {
	    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	return month == 2 && is_leap(year) ? 29 : lengths[month - 1];
}

int64_t pv_calendar_days_before_year(unsigned year)
{
	int64_t before = (int64_t)year - 1;
	if (!year)
		return 0;
	return 366 + before * 365 + before / 4 - before / 100 + before / 400;
}

bool pv_calendar_is_possible(const struct pv_calendar *date)
{
	return date->month >= 1 && date->month <= 12 && date->day >= 1 &&
	       date->day <=
		   pv_calendar_days_of_month(date->year, date->month) &&
	       date->hour <= 23 && date->minute <= 59 && date->second <= 60;
}

int64_t pv_calendar_to_ms(const struct pv_calendar *date)
{
	int64_t day = pv_calendar_days_before_year(date->year) -
		      pv_calendar_days_before_year(1970);
	for (unsigned month = 1; month < date->month; month++)
		day += pv_calendar_days_of_month(date->year, month);
	day += date->day - 1;
	int64_t second =
	    (int64_t)date->hour * 3600 + date->minute * 60 + date->second;
	return day * PV_CALENDAR_DAY_MS + second * 1000;
}

bool pv_calendar_take_digits(
    struct pv_reader *reader, size_t count, unsigned *number)
{
	struct pv_reader digits = pv_reader_of(pv_reader_take(reader, count));
	uint64_t value;
	if (pv_reader_left(&digits) != count ||
	    !pv_reader_take_number(&digits, 9999, &value) ||
	    !pv_reader_is_end(&digits))
		return false;
	*number = (unsigned)value;
	return true;
}

bool pv_calendar_take_name(struct pv_reader *reader, const char *const names[],
    unsigned count, unsigned *which)
{
	struct pv_str word = pv_reader_take_while(reader, pv_is_alpha);
	for (*which = 0; *which < count; ++*which) {
		if (pv_str_equal_nocase(word, pv_str_of(names[*which])))
			return true;
	}
	return false;
}

bool pv_calendar_take_month(struct pv_reader *reader, unsigned *month)
{
	unsigned which;
	if (!pv_calendar_take_name(reader, months, 12, &which))
		return false;
	*month = which + 1;
	return true;
}

const char *pv_calendar_month_name(unsigned month)
{
	return months[month - 1];
}
