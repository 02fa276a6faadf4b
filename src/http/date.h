#ifndef PAVANE_HTTP_DATE_H
#define PAVANE_HTTP_DATE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/reader.h"

/* Dates as HTTP writes them (RFC 9110, 5.6.7), to milliseconds since 1970 and
 * back: no locale, no time zone and no table of the system's is asked.
 */

/* Reads any of the three forms, in upper or lower case; the name of the day is
 * not held against the date. `now_ms` is the wall clock, by which a year of two
 * digits gets its century. False, with nothing changed, if it is no date that
 * ever was or will be. */
bool pv_date_read(struct pv_str text, int64_t now_ms, int64_t *time_ms);

/* Appends the form that everybody sends now: "Sun, 06 Nov 1994 08:49:37 GMT".
 * False, with nothing appended, if the year has not four digits or the ceiling
 * is in the way. */
bool pv_date_write(int64_t time_ms, struct pv_buf *buf);

/* Appends the form of RFC 3339, in UTC: "1994-11-06T08:49:37.123Z". Of the years
 * 0 to 9999. */
bool pv_date_write_stamp(int64_t time_ms, struct pv_buf *buf);

/* The Gregorian calendar, from the year 0 on as if it had always been there:
 * what the forms of dates have in common, in UTC (feed_date.h has two more). */
struct pv_civil_date {
	unsigned year;
	unsigned month; /* 1 to 12 */
	unsigned day;
	unsigned hour;
	unsigned minute;
	unsigned second; /* 60 where a second was put in */
};

/* Whether that ever was or will be. */
bool pv_civil_date_is_possible(const struct pv_civil_date *date);

/* To milliseconds since 1970. */
int64_t pv_civil_date_to_ms(const struct pv_civil_date *date);

/* From milliseconds since 1970, in the years 0 to 9999. */
struct pv_civil_date pv_civil_date_of_ms(int64_t time_ms);

/* Takes exactly so many digits, at most four. */
bool pv_civil_date_take_digits(
    struct pv_reader *reader, size_t count, unsigned *number);

/* Takes one of the names, in letters of any size, and says which. */
bool pv_civil_date_take_name(struct pv_reader *reader,
    const char *const names[], unsigned count, unsigned *which);

/* Takes "Jan" to "Dec", and gives them. */
bool pv_civil_date_take_month(struct pv_reader *reader, unsigned *month);
const char *pv_civil_date_month_name(unsigned month);

#endif
