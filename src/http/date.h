#ifndef PAVANE_HTTP_DATE_H
#define PAVANE_HTTP_DATE_H

#include <stdint.h>

#include "base/buf.h"

/* Dates as HTTP writes them (RFC 9110, 5.6.7), to milliseconds since 1970 and
 * back: no locale, no time zone and no table of the system's is asked.
 */

/* Reads any of the three forms, whatever the case of their letters; the name
 * of the day is not held against the date. `now_ms` is the wall clock, by
 * which a year of two digits gets its century. False, with nothing changed, if
 * it is no date that ever was or will be. */
bool pv_date_read(struct pv_str text, int64_t now_ms, int64_t *time_ms);

/* Appends the form that everybody sends now: "Sun, 06 Nov 1994 08:49:37 GMT".
 * False, with nothing appended, if the year has not four digits or the ceiling
 * is in the way. */
bool pv_date_write(int64_t time_ms, struct pv_buf *buf);

#endif
