#ifndef PAVANE_BASE_DAY_H
#define PAVANE_BASE_DAY_H

#include <stdbool.h>
#include <stdint.h>

/* Days as numbers, from 1 January 1970 on, in the Gregorian calendar as if it
 * had always been there: no time zone and no table of the system's is asked.
 * Months and days of a month count from 1.
 */

#define PV_DAY_MS INT64_C(86400000)

/* How many days a month has. */
unsigned pv_day_month_length(unsigned year, unsigned month);

/* Whether there is such a day, in any year. */
bool pv_day_is_date(unsigned year, unsigned month, unsigned day);

/* Its number; what is before 1970 is negative. */
int64_t pv_day_of_date(unsigned year, unsigned month, unsigned day);

/* The day in which a time since 1970 lies. */
int64_t pv_day_of_ms(int64_t time_ms);

#endif
