#ifndef PAVANE_HTTP_FEED_DATE_H
#define PAVANE_HTTP_FEED_DATE_H

#include <stdint.h>

#include "http/date.h"

/* Dates as sitemaps and Atom write them (https://www.w3.org/TR/NOTE-datetime,
 * RFC 3339): "1997", "1997-07", "1997-07-16", "1997-07-16T19:20+01:00" with or
 * without seconds and a fraction of them. What a date leaves open is where it
 * begins, and without a zone it is in UTC.
 */

/* Reads one to milliseconds since 1970, the fraction cut to those. False, with
 * nothing changed, if it is no date that ever was or will be. */
bool pv_w3c_date_read(struct pv_str text, int64_t *time_ms);

/* Dates as mails and RSS write them (RFC 5322, 3.3 and 4.3, without comments):
 * "Sat, 07 Sep 2002 09:42:31 +0200". The day's name and the seconds may be
 * missing, a zone may be a name of North America's, and a year of two digits
 * is one of 1950 to 2049.
 */

/* Reads one to milliseconds since 1970. False, with nothing changed, if it is
 * no date that ever was or will be. */
bool pv_mail_date_read(struct pv_str text, int64_t *time_ms);

/* The same as it is written: how many minutes east of Greenwich its clock is,
 * 0 where it names no zone. */
struct pv_mail_date {
	struct pv_civil_date date;
	int zone_minutes;
	bool has_zone;
};

bool pv_mail_date_take(struct pv_str text, struct pv_mail_date *mail);

#endif
