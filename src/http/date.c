#include "http/date.h"

#include "base/ascii.h"
#include "base/day.h"
#include "base/reader.h"

static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool pv_civil_date_is_possible(const struct pv_civil_date *date)
{
	return pv_day_is_date(date->year, date->month, date->day) &&
	       date->hour <= 23 && date->minute <= 59 && date->second <= 60;
}

int64_t pv_civil_date_to_ms(const struct pv_civil_date *date)
{
	int64_t day = pv_day_of_date(date->year, date->month, date->day);
	int64_t second =
	    (int64_t)date->hour * 3600 + date->minute * 60 + date->second;
	return day * PV_DAY_MS + second * 1000;
}

bool pv_civil_date_take_digits(
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

bool pv_civil_date_take_name(struct pv_reader *reader,
    const char *const names[], unsigned count, unsigned *which)
{
	struct pv_str word = pv_reader_take_while(reader, pv_is_alpha);
	for (*which = 0; *which < count; ++*which) {
		if (pv_str_equal_nocase(word, pv_str_of(names[*which])))
			return true;
	}
	return false;
}

bool pv_civil_date_take_month(struct pv_reader *reader, unsigned *month)
{
	unsigned which;
	if (!pv_civil_date_take_name(reader, months, 12, &which))
		return false;
	*month = which + 1;
	return true;
}

const char *pv_civil_date_month_name(unsigned month)
{
	return months[month - 1];
}

/* As 1 January 1970 was a Thursday. */
static const char *const days[] = {
    "Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
static const char *const long_days[] = {"Thursday", "Friday", "Saturday",
    "Sunday", "Monday", "Tuesday", "Wednesday"};

/* "08:49:37" */
static bool take_time(struct pv_reader *reader, struct pv_civil_date *date)
{
	return pv_civil_date_take_digits(reader, 2, &date->hour) &&
	       pv_reader_accept(reader, ':') &&
	       pv_civil_date_take_digits(reader, 2, &date->minute) &&
	       pv_reader_accept(reader, ':') &&
	       pv_civil_date_take_digits(reader, 2, &date->second);
}

static bool take_time_and_zone(
    struct pv_reader *reader, struct pv_civil_date *date)
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
static bool read_fixdate(struct pv_reader reader, struct pv_civil_date *date)
{
	unsigned ignored;
	return pv_civil_date_take_name(&reader, days, 7, &ignored) &&
	       pv_reader_accept_str(&reader, PV_STR(", ")) &&
	       pv_civil_date_take_digits(&reader, 2, &date->day) &&
	       pv_reader_accept(&reader, ' ') &&
	       pv_civil_date_take_month(&reader, &date->month) &&
	       pv_reader_accept(&reader, ' ') &&
	       pv_civil_date_take_digits(&reader, 4, &date->year) &&
	       take_time_and_zone(&reader, date) && pv_reader_is_end(&reader);
}

/* rfc850-date: "Sunday, 06-Nov-94 08:49:37 GMT" */
static bool read_rfc850(
    struct pv_reader reader, int64_t now_ms, struct pv_civil_date *date)
{
	unsigned ignored;
	if (!pv_civil_date_take_name(&reader, long_days, 7, &ignored) ||
	    !pv_reader_accept_str(&reader, PV_STR(", ")) ||
	    !pv_civil_date_take_digits(&reader, 2, &date->day) ||
	    !pv_reader_accept(&reader, '-') ||
	    !pv_civil_date_take_month(&reader, &date->month) ||
	    !pv_reader_accept(&reader, '-') ||
	    !pv_civil_date_take_digits(&reader, 2, &date->year))
		return false;
	date->year = with_century(date->year, now_ms);
	return take_time_and_zone(&reader, date) && pv_reader_is_end(&reader);
}

/* asctime-date: "Sun Nov  6 08:49:37 1994" */
static bool read_asctime(struct pv_reader reader, struct pv_civil_date *date)
{
	unsigned ignored;
	if (!pv_civil_date_take_name(&reader, days, 7, &ignored) ||
	    !pv_reader_accept(&reader, ' ') ||
	    !pv_civil_date_take_month(&reader, &date->month) ||
	    !pv_reader_accept(&reader, ' '))
		return false;
	size_t digits = pv_reader_accept(&reader, ' ') ? 1 : 2;
	return pv_civil_date_take_digits(&reader, digits, &date->day) &&
	       pv_reader_accept(&reader, ' ') && take_time(&reader, date) &&
	       pv_reader_accept(&reader, ' ') &&
	       pv_civil_date_take_digits(&reader, 4, &date->year) &&
	       pv_reader_is_end(&reader);
}

bool pv_date_read(struct pv_str text, int64_t now_ms, int64_t *time_ms)
{
	struct pv_reader reader = pv_reader_of(pv_str_trim(text));
	struct pv_civil_date date;
	if (!read_fixdate(reader, &date) &&
	    !read_rfc850(reader, now_ms, &date) && !read_asctime(reader, &date))
		return false;
	if (!pv_civil_date_is_possible(&date))
		return false;
	*time_ms = pv_civil_date_to_ms(&date);
	return true;
}

/* From 0 to 10000, which stand for all that is before and after as well. */
static unsigned year_of(int64_t time_ms)
{
	int64_t day = pv_day_of_ms(time_ms);
	int64_t first = pv_day_of_date(0, 1, 1);
	if (day < first)
		return 0;
	if (day >= pv_day_of_date(10000, 1, 1))
		return 10000;
	unsigned year = (unsigned)((day - first) / 366);
	while (pv_day_of_date(year + 1, 1, 1) <= day)
		year++;
	return year;
}

struct pv_civil_date pv_civil_date_of_ms(int64_t time_ms)
{
	int64_t day = pv_day_of_ms(time_ms);
	unsigned second = (unsigned)((time_ms - day * PV_DAY_MS) / 1000);
	struct pv_civil_date date = {.year = year_of(time_ms), .month = 1};
	day -= pv_day_of_date(date.year, 1, 1);
	while (day >= pv_day_month_length(date.year, date.month))
		day -= pv_day_month_length(date.year, date.month++);
	date.day = (unsigned)day + 1;
	date.hour = second / 3600;
	date.minute = second / 60 % 60;
	date.second = second % 60;
	return date;
}

static const char *name_of_day(int64_t time_ms)
{
	int64_t which = pv_day_of_ms(time_ms) % 7;
	return days[which < 0 ? which + 7 : which];
}

bool pv_date_write(int64_t time_ms, struct pv_buf *buf)
{
	if (pv_day_of_ms(time_ms) < pv_day_of_date(0, 1, 1) ||
	    year_of(time_ms) > 9999)
		return false;
	struct pv_civil_date date = pv_civil_date_of_ms(time_ms);
	return pv_buf_append_format(buf, "%s, %02u %s %04u %02u:%02u:%02u GMT",
	    name_of_day(time_ms), date.day,
	    pv_civil_date_month_name(date.month), date.year, date.hour,
	    date.minute, date.second);
}

bool pv_date_write_stamp(int64_t time_ms, struct pv_buf *buf)
{
	struct pv_civil_date date = pv_civil_date_of_ms(time_ms);
	return pv_buf_append_format(buf, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ",
	    date.year, date.month, date.day, date.hour, date.minute,
	    date.second, (unsigned)(time_ms % 1000));
}
