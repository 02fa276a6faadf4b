#ifndef PAVANE_POLICY_VALUES_DATE_FORMAT_H
#define PAVANE_POLICY_VALUES_DATE_FORMAT_H

#include "base/reader.h"

/* How a date is written, as a policy says it: "%d.%m.%Y %H:%M".
 *
 *   %Y  2026         %y  26 (1969 to 2068)    %m  1 to 12, also 01
 *   %d, %e  1 to 31  %j  1 to 366             %b, %B, %h  Nov, November
 *   %H  0 to 23      %I  1 to 12, with %p     %p  AM, pm, a.m.
 *   %M  0 to 59      %S  0 to 60              %f  digits of a second
 *   %a, %A  Fri, Friday: passed over          %s  seconds since 1970
 *   %z, %Z  +0100, +01:00, +01, Z, UTC, GMT   %%  %
 *
 * Names are English, in letters of any size. White space is any white space, or
 * none; all else stands for itself. fields/date_text.h reads by it.
 */
struct pv_date_item {
	char directive; /* the letter; '\0': a byte that stands for itself */
	char byte;
};

/* Takes the next item of a format that has no fault; false at its end. */
bool pv_date_format_next(struct pv_reader *format, struct pv_date_item *item);

/* NULL if dates can be read by it; else a sentence, and the place in the text
 * that it is about. */
const char *pv_date_format_fault(struct pv_str text, size_t *offset);

/* Whether it has a time of day. */
bool pv_date_format_has_time(struct pv_str text);

#endif
