#include "base/day.h"

#define DAYS_BEFORE_1970 719528 /* from 1 January of the year 0 */

static bool is_leap(unsigned year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

unsigned pv_day_month_length(unsigned year, unsigned month)
{
	static const unsigned char lengths[] = {
	    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	return month == 2 && is_leap(year) ? 29 : lengths[month - 1];
}

bool pv_day_is_date(unsigned year, unsigned month, unsigned day)
{
	return month >= 1 && month <= 12 && day >= 1 &&
	       day <= pv_day_month_length(year, month);
}

static int64_t days_before_year(unsigned year)
{
	int64_t before = (int64_t)year - 1;
	if (!year)
		return 0;
	return 366 + before * 365 + before / 4 - before / 100 + before / 400;
}

int64_t pv_day_of_date(unsigned year, unsigned month, unsigned day)
{
	static const unsigned short before[] = {
	    0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	return days_before_year(year) - DAYS_BEFORE_1970 + before[month - 1] +
	       (month > 2 && is_leap(year)) + day - 1;
}

int64_t pv_day_of_ms(int64_t time_ms)
{
	int64_t day = time_ms / PV_DAY_MS;
	return time_ms % PV_DAY_MS < 0 ? day - 1 : day;
}
