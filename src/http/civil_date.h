#ifndef PAVANE_HTTP_CIVIL_DATE_H
#define PAVANE_HTTP_CIVIL_DATE_H

#include <stdint.h>

#include "base/reader.h"

/* The Gregorian calendar, from the year 0 on as if it had always been there:
 * what the forms of dates have in common, in UTC. */
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
