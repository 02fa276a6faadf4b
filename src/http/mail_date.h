#ifndef PAVANE_HTTP_MAIL_DATE_H
#define PAVANE_HTTP_MAIL_DATE_H

#include <stdint.h>

#include "base/str.h"

/* Dates as mails and RSS write them (RFC 5322, 3.3 and 4.3, without comments):
 * "Sat, 07 Sep 2002 09:42:31 +0200". The day's name and the seconds may be
 * missing, a zone may be a name of North America's, and a year of two digits
 * is one of 1950 to 2049.
 */

/* Reads one to milliseconds since 1970. False, with nothing changed, if it is
 * no date that ever was or will be. */
bool pv_mail_date_read(struct pv_str text, int64_t *time_ms);

#endif
