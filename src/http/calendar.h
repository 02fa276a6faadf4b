#ifndef PAVANE_HTTP_CALENDAR_H
#define PAVANE_HTTP_CALENDAR_H

#include <stdint.h>

#include "base/reader.h"

/* The Gregorian calendar, from the year 0 on as if it had always been there:
 * what the forms of dates have in common, in UTC. */
#define PV_CALENDAR_DAY_MS INT64_C(86400000)

struct pv_calendar {
	unsigned year;
	unsigned month; /* 1 to 12 */
	unsigned day;
	unsigned hour;
	unsigned minute;
	unsigned second; /* 60 where a second was put in */
};

unsigned pv_calendar_days_of_month(unsigned year, unsigned month);

/* From 1 January of the year 0. */
int64_t pv_calendar_days_before_year(unsigned year);

/* Whether that ever was or will be. */
bool pv_calendar_is_possible(const struct pv_calendar *date);

/* To milliseconds since 1970. */
int64_t pv_calendar_to_ms(const struct pv_calendar *date);

/* Takes exactly so many digits, at most four. */
bool pv_calendar_take_digits(
    struct pv_reader *reader, size_t count, unsigned *number);

/* Takes one of the names, in letters of any size, and says which. */
bool pv_calendar_take_name(struct pv_reader *reader, const char *const names[],
    unsigned count, unsigned *which);

/* Takes "Jan" to "Dec", and gives them. */
bool pv_calendar_take_month(struct pv_reader *reader, unsigned *month);
const char *pv_calendar_month_name(unsigned month);

#endif
