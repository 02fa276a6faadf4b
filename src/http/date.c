#include "http/date.h"

#include "base/ascii.h"
#include "base/reader.h"

#define DAY_MS INT64_C(86400000)

static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/* As 1 January 1970 was a Thursday. */
static const char *const days[] = {
    "Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
static const char *const long_days[] = {"Thursday", "Friday", "Saturday",
    "Sunday", "Monday", "Tuesday", "Wednesday"};

struct date {
	unsigned year;
	unsigned month; /* 1 to 12 */
	unsigned day;
	unsigned hour;
	unsigned minute;
	unsigned second; /* 60 where a second was put in */
};

static bool is_leap(unsigned year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static unsigned days_of_month(unsigned year, unsigned month)
{
	static const unsigned char lengths[] = {
	    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	return month == 2 && is_leap(year) ? 29 : lengths[month - 1];
}

/* From 1 January of the year 0, if the Gregorian calendar had been there. */
static int64_t days_before_year(unsigned year)
{
	int64_t before = (int64_t)year - 1;
	if (!year)
		return 0;
	return 366 + before * 365 + before / 4 - before / 100 + before / 400;
}

static int64_t to_ms(const struct date *date)
{
	int64_t day = days_before_year(date->year) - days_before_year(1970);
	for (unsigned month = 1; month < date->month; month++)
		day += days_of_month(date->year, month);
	day += date->day - 1;
	int64_t second =
	    (int64_t)date->hour * 3600 + date->minute * 60 + date->second;
	return day * DAY_MS + second * 1000;
}

static bool is_possible(const struct date *date)
{
	return date->day >= 1 &&
	       date->day <= days_of_month(date->year, date->month) &&
	       date->hour <= 23 && date->minute <= 59 && date->second <= 60;
}

/* Takes exactly so many digits. */
static bool take_digits(
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

/* Takes one of the names and says which. */
static bool take_name(struct pv_reader *reader, const char *const names[],
    unsigned count, unsigned *which)
{
	struct pv_str word = pv_reader_take_while(reader, pv_is_alpha);
	for (*which = 0; *which < count; ++*which) {
		if (pv_str_equal_nocase(word, pv_str_of(names[*which])))
			return true;
	}
	return false;
}

static bool take_month(struct pv_reader *reader, struct date *date)
{
	unsigned which;
	if (!take_name(reader, months, 12, &which))
		return false;
	date->month = which + 1;
	return true;
}

/* "08:49:37" */
static bool take_time(struct pv_reader *reader, struct date *date)
{
	return take_digits(reader, 2, &date->hour) &&
	       pv_reader_accept(reader, ':') &&
	       take_digits(reader, 2, &date->minute) &&
	       pv_reader_accept(reader, ':') &&
	       take_digits(reader, 2, &date->second);
}

static bool take_time_and_zone(struct pv_reader *reader, struct date *date)
{
	return pv_reader_accept(reader, ' ') && take_time(reader, date) &&
	       pv_reader_accept(reader, ' ') &&
	       pv_str_equal_nocase(
		   pv_reader_take_while(reader, pv_is_alpha), PV_STR("GMT"));
}

static unsigned year_of(int64_t time_ms);

/* The last such year that is not more than 50 years ahead. */
static unsigned with_century(unsigned year, int64_t now_ms)
{
	unsigned last = year_of(now_ms) + 50;
	unsigned back = (last % 100 + 100 - year) % 100;
	return back < last ? last - back : year;
}

/* IMF-fixdate: "Sun, 06 Nov 1994 08:49:37 GMT" */
static bool read_fixdate(struct pv_reader reader, struct date *date)
{
	unsigned ignored;
	return take_name(&reader, days, 7, &ignored) &&
	       pv_reader_accept_str(&reader, PV_STR(", ")) &&
	       take_digits(&reader, 2, &date->day) &&
	       pv_reader_accept(&reader, ' ') && take_month(&reader, date) &&
	       pv_reader_accept(&reader, ' ') &&
	       take_digits(&reader, 4, &date->year) &&
	       take_time_and_zone(&reader, date) && pv_reader_is_end(&reader);
}

/* rfc850-date: "Sunday, 06-Nov-94 08:49:37 GMT" */
static bool read_rfc850(
    struct pv_reader reader, int64_t now_ms, struct date *date)
{
	unsigned ignored;
	if (!take_name(&reader, long_days, 7, &ignored) ||
	    !pv_reader_accept_str(&reader, PV_STR(", ")) ||
	    !take_digits(&reader, 2, &date->day) ||
	    !pv_reader_accept(&reader, '-') || !take_month(&reader, date) ||
	    !pv_reader_accept(&reader, '-') ||
	    !take_digits(&reader, 2, &date->year))
		return false;
	date->year = with_century(date->year, now_ms);
	return take_time_and_zone(&reader, date) && pv_reader_is_end(&reader);
}

/* asctime-date: "Sun Nov  6 08:49:37 1994" */
static bool read_asctime(struct pv_reader reader, struct date *date)
{
	unsigned ignored;
	if (!take_name(&reader, days, 7, &ignored) ||
	    !pv_reader_accept(&reader, ' ') || !take_month(&reader, date) ||
	    !pv_reader_accept(&reader, ' '))
		return false;
	size_t digits = pv_reader_accept(&reader, ' ') ? 1 : 2;
	return take_digits(&reader, digits, &date->day) &&
	       pv_reader_accept(&reader, ' ') && take_time(&reader, date) &&
	       pv_reader_accept(&reader, ' ') &&
	       take_digits(&reader, 4, &date->year) &&
	       pv_reader_is_end(&reader);
}

bool pv_date_read(struct pv_str text, int64_t now_ms, int64_t *time_ms)
{
	struct pv_reader reader = pv_reader_of(pv_str_trim(text));
	struct date date;
	if (!read_fixdate(reader, &date) &&
	    !read_rfc850(reader, now_ms, &date) && !read_asctime(reader, &date))
		return false;
	if (!is_possible(&date))
		return false;
	*time_ms = to_ms(&date);
	return true;
}

/* Days since 1970, of which there are whole ones before it too. */
static int64_t day_of(int64_t time_ms)
{
	int64_t day = time_ms / DAY_MS;
	return time_ms % DAY_MS < 0 ? day - 1 : day;
}

/* From 0 to 10000, which stand for all that is before and after as well. */
static unsigned year_of(int64_t time_ms)
{
	int64_t day = day_of(time_ms) + days_before_year(1970);
	if (day < 0)
		return 0;
	if (day >= days_before_year(10000))
		return 10000;
	unsigned year = (unsigned)(day / 366);
	while (days_before_year(year + 1) <= day)
		year++;
	return year;
}

static struct date from_ms(int64_t time_ms)
{
	int64_t day = day_of(time_ms);
	unsigned second = (unsigned)((time_ms - day * DAY_MS) / 1000);
	struct date date = {.year = year_of(time_ms), .month = 1};
	day -= days_before_year(date.year) - days_before_year(1970);
	while (day >= days_of_month(date.year, date.month))
		day -= days_of_month(date.year, date.month++);
	date.day = (unsigned)day + 1;
	date.hour = second / 3600;
	date.minute = second / 60 % 60;
	date.second = second % 60;
	return date;
}

static const char *name_of_day(int64_t time_ms)
{
	int64_t which = day_of(time_ms) % 7;
	return days[which < 0 ? which + 7 : which];
}

bool pv_date_write(int64_t time_ms, struct pv_buf *buf)
{
	if (day_of(time_ms) < -days_before_year(1970) ||
	    year_of(time_ms) > 9999)
		return false;
	struct date date = from_ms(time_ms);
	return pv_buf_append_format(buf, "%s, %02u %s %04u %02u:%02u:%02u GMT",
	    name_of_day(time_ms), date.day, months[date.month - 1], date.year,
	    date.hour, date.minute, date.second);
}
