#ifndef PAVANE_FIELDS_DATE_PARTS_H
#define PAVANE_FIELDS_DATE_PARTS_H

#include "http/date.h"

/* What was read of a date, and the pieces that its forms have in common. */
struct pv_date_parts {
	struct pv_civil_date date; /* by the clock of its zone */
	struct pv_str fraction;    /* digits of a second; may be empty */
	int zone_minutes;          /* east of Greenwich */
	bool has_time;
	bool has_zone;
};

/* Takes "Z", "UTC", "GMT", "+0100", "+01:00" or "+01". */
bool pv_date_parts_take_zone(
    struct pv_reader *reader, struct pv_date_parts *parts);

/* Reads ISO 8601: "2026-11-27", "2026-11-27T21:05:00.25+01:00", with a space or
 * T, with or without marks, seconds and zone. */
bool pv_date_parts_read_iso(struct pv_str text, struct pv_date_parts *parts);

/* Reads by a format (policy/values/date_format.h) that has no fault. */
bool pv_date_parts_read_format(
    struct pv_str text, struct pv_str format, struct pv_date_parts *parts);

#endif
