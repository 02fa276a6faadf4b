#include "schedule/zone/zone_rule.h"

#include "base/ascii.h"
#include "base/reader.h"

#define DAY_S INT64_C(86400)

/* A name is letters, or between < and > also digits and signs. */

static bool is_quoted_byte(int byte)
{
	return pv_is_alnum(byte) || byte == '+' || byte == '-';
}

static bool take_name(struct pv_reader *reader)
{
	if (!pv_reader_accept(reader, '<'))
		return pv_reader_take_while(reader, pv_is_alpha).len >= 3;
	return pv_reader_take_while(reader, is_quoted_byte).len >= 3 &&
	       pv_reader_accept(reader, '>');
}

static bool take_part(struct pv_reader *reader, uint64_t max, int32_t *part)
{
	uint64_t number;
	if (!pv_reader_take_number(reader, max, &number))
		return false;
	*part = (int32_t)number;
	return true;
}

/* [+-]hh[:mm[:ss]] */
static bool take_time(struct pv_reader *reader, uint64_t max, int32_t *time_s)
{
	bool is_negative = pv_reader_accept(reader, '-');
	int32_t hours;
	int32_t minutes = 0;
	int32_t seconds = 0;
	if (!is_negative)
		pv_reader_accept(reader, '+');
	if (!take_part(reader, max, &hours))
		return false;
	if (pv_reader_accept(reader, ':')) {
		if (!take_part(reader, 59, &minutes))
			return false;
		if (pv_reader_accept(reader, ':') &&
		    !take_part(reader, 59, &seconds))
			return false;
	}
	*time_s = hours * 3600 + minutes * 60 + seconds;
	if (is_negative)
		*time_s = -*time_s;
	return true;
}

/* What is written is how far west it is. */
static bool take_offset(struct pv_reader *reader, int32_t *offset_s)
{
	int32_t west_s;
	if (!take_time(reader, 24, &west_s))
		return false;
	*offset_s = -west_s;
	return true;
}

static bool take_week_day(struct pv_reader *reader, struct pv_zone_day *day)
{
	return take_part(reader, 12, &day->month) && day->month >= 1 &&
	       pv_reader_accept(reader, '.') &&
	       take_part(reader, 5, &day->week) && day->week >= 1 &&
	       pv_reader_accept(reader, '.') && take_part(reader, 6, &day->day);
}

static bool take_day(struct pv_reader *reader, struct pv_zone_day *day)
{
	*day = (struct pv_zone_day){.kind = 'n', .time_s = 2 * 3600};
	if (!pv_reader_accept(reader, ','))
		return false;
	if (pv_reader_accept(reader, 'M')) {
		day->kind = 'M';
		if (!take_week_day(reader, day))
			return false;
	} else if (pv_reader_accept(reader, 'J')) {
		day->kind = 'J';
		if (!take_part(reader, 365, &day->day) || day->day < 1)
			return false;
	} else if (!take_part(reader, 365, &day->day)) {
		return false;
	}
	return !pv_reader_accept(reader, '/') ||
	       take_time(reader, 167, &day->time_s);
}

bool pv_zone_rule_read(struct pv_zone_rule *rule, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	*rule = (struct pv_zone_rule){0};
	if (!take_name(&reader) || !take_offset(&reader, &rule->standard_s))
		return false;
	if (pv_reader_is_end(&reader))
		return true;
	rule->has_summer = true;
	rule->summer_s = rule->standard_s + 3600;
	if (!take_name(&reader))
		return false;
	if (pv_reader_peek(&reader) != ',' &&
	    !take_offset(&reader, &rule->summer_s))
		return false;
	return take_day(&reader, &rule->begin) &&
	       take_day(&reader, &rule->end) && pv_reader_is_end(&reader);
}

/* The calendar, in which years begin in March so that leap days come last. */

static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t day_of(int64_t year, int32_t month, int32_t day)
{
	int64_t march_year = month > 2 ? year : year - 1;
	int64_t era = floor_divide(march_year, 400);
	int64_t in_era = march_year - era * 400;
	int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5;
	return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 +
	       in_year + day - 1 - 719468;
}

static int64_t year_of(int64_t at_s)
{
	int64_t day = floor_divide(at_s, DAY_S);
	int64_t year = 1970 + floor_divide(day * 400, 146097);
	if (day < day_of(year, 1, 1))
		year--;
	else if (day >= day_of(year + 1, 1, 1))
		year++;
	return year;
}

/* 1970 began on a Thursday. */
static int32_t week_day(int64_t day)
{
	return (int32_t)(day + 4 - floor_divide(day + 4, 7) * 7);
}

static int64_t week_day_of(const struct pv_zone_day *rule, int64_t year)
{
	int64_t first = day_of(year, rule->month, 1);
	int64_t next = rule->month == 12 ? day_of(year + 1, 1, 1)
					 : day_of(year, rule->month + 1, 1);
	int64_t day = first + (rule->day - week_day(first) + 7) % 7 +
		      (rule->week - 1) * 7;
	return day < next ? day : day - 7;
}

/* When it is on the clock of the time before it, in seconds. */
static int64_t moment_of(const struct pv_zone_day *rule, int64_t year)
{
	int64_t first = day_of(year, 1, 1);
	int64_t day = first + rule->day;
	if (rule->kind == 'M')
		day = week_day_of(rule, year);
	else if (rule->kind == 'J')
		day = first + rule->day - 1 +
		      (rule->day > 59 && day_of(year, 3, 1) - first == 60);
	return day * DAY_S + rule->time_s;
}

/* What is known about the changes around an instant. */
struct around {
	int64_t at_s;
	int64_t before_s;
	int64_t after_s;
	int32_t offset_s;
};

static void look_at(struct around *around, int64_t change_s, int32_t offset_s)
{
	if (change_s > around->at_s) {
		if (change_s < around->after_s)
			around->after_s = change_s;
	} else if (change_s >= around->before_s) {
		around->before_s = change_s;
		around->offset_s = offset_s;
	}
}

/* A day with its time may lie a week outside of its year, so the change before
 * an instant may be of the year before the last. Where summer lasts all year,
 * its end is its beginning, which comes second here and so prevails (RFC 8536,
 * 3.3.1). */
static void look_around(
    struct around *around, const struct pv_zone_rule *rule, int64_t year)
{
	for (int64_t i = year - 2; i <= year + 2; i++)
		look_at(around, moment_of(&rule->end, i) - rule->summer_s,
		    rule->standard_s);
	for (int64_t i = year - 2; i <= year + 2; i++)
		look_at(around, moment_of(&rule->begin, i) - rule->standard_s,
		    rule->summer_s);
}

int32_t pv_zone_rule_offset(
    const struct pv_zone_rule *rule, int64_t at_s, int64_t *change_s)
{
	struct around around = {at_s, INT64_MIN, INT64_MAX, rule->standard_s};
	if (rule->has_summer)
		look_around(&around, rule, year_of(at_s));
	*change_s = around.after_s;
	return around.offset_s;
}
