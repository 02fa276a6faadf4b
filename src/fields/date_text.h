#ifndef PAVANE_FIELDS_DATE_TEXT_H
#define PAVANE_FIELDS_DATE_TEXT_H

#include "base/buf.h"

/* Dates as pages write them, to dates as RFC 3339 has them.
 *
 * A date with a time gets the offset that it was written with ("Z" for none),
 * or that of the time zone that is meant where it names none; a date alone
 * stays one. Digits of a second stay, up to nine. Of an hour that a clock shows
 * twice it is the first; one that it leaves out is counted from before.
 */
struct pv_time_zone;

struct pv_date_terms {
	const char *format; /* policy/values/date_format.h; or NULL:
					    ISO 8601, mail (RFC 5322), and HTTP's
					    two older forms */
	const struct pv_time_zone *zone; /* NULL: UTC */
};

/* Appends the date; false, with nothing appended, if the text is none: all of
 * it must be read. White space of the text has been collapsed. */
bool pv_date_text_read(
    struct pv_str text, const struct pv_date_terms *terms, struct pv_buf *buf);

#endif
