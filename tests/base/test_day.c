#include "base/day.h"

#include "tap.h"

static const struct {
	unsigned year;
	unsigned month;
	unsigned day;
	int64_t number;
} days[] = {
    {1970, 1, 1, 0},
    {1970, 1, 2, 1},
    {1969, 12, 31, -1},
    {2000, 2, 29, 11016},
    {2000, 3, 1, 11017},
    {2038, 1, 19, 24855},
    {1900, 3, 1, -25508},
    {0, 1, 1, -719528},
    {1, 1, 1, -719162},
    {9999, 12, 31, 2932896},
};

/* Each day of all years follows on the one before it. */
static bool is_in_order(void)
{
	int64_t next = pv_day_of_date(0, 1, 1);
	for (unsigned year = 0; year < 10000; year++) {
		for (unsigned month = 1; month <= 12; month++) {
			unsigned length = pv_day_month_length(year, month);
			for (unsigned day = 1; day <= length; day++) {
				if (pv_day_of_date(year, month, day) != next)
					return false;
				next++;
			}
		}
	}
	return next == pv_day_of_date(10000, 1, 1);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(days) / sizeof(*days); i++)
		ok(pv_day_of_date(days[i].year, days[i].month, days[i].day) ==
			days[i].number,
		    "%04u-%02u-%02u is day %lld", days[i].year, days[i].month,
		    days[i].day, (long long)days[i].number);
	ok(is_in_order(), "no day of 10,000 years is left out, or there twice");
	ok(pv_day_is_date(2000, 2, 29) && !pv_day_is_date(1900, 2, 29) &&
		!pv_day_is_date(2001, 2, 29) && pv_day_is_date(2004, 2, 29),
	    "a 29 February is in leap years only");
	ok(!pv_day_is_date(2001, 0, 1) && !pv_day_is_date(2001, 13, 1) &&
		!pv_day_is_date(2001, 1, 0) && !pv_day_is_date(2001, 4, 31),
	    "there is no month 0 or 13, and no day 0 or 31 April");
	ok(pv_day_of_ms(0) == 0 && pv_day_of_ms(86399999) == 0 &&
		pv_day_of_ms(86400000) == 1 && pv_day_of_ms(-1) == -1 &&
		pv_day_of_ms(-86400000) == -1 && pv_day_of_ms(-86400001) == -2,
	    "a time lies in one day, before 1970 too");
	return tap_done();
}
