#ifndef PAVANE_SCHEDULE_ZONE_ZONE_RULE_H
#define PAVANE_SCHEDULE_ZONE_ZONE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The rule by which a time zone goes on after its table has ended:
 * "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX.1-2017, 8.3, with the hours of
 * RFC 8536, 3.3.1).
 */
struct pv_zone_day {
	char kind;     /* 'M' month.week.day, 'J' day without, 'n' with leap */
	int32_t month; /* 1 to 12 */
	int32_t week;  /* 1 to 5, which is the last */
	int32_t day;   /* of the week from 0, of the year from 1 or 0 */
	int32_t time_s;
};

struct pv_zone_rule {
	int32_t standard_s; /* east of Greenwich */
	int32_t summer_s;
	bool has_summer;
	struct pv_zone_day begin; /* of summer time, in standard time */
	struct pv_zone_day end;   /* in summer time */
};

/* Reads a whole rule; false if it is none. */
bool pv_zone_rule_read(struct pv_zone_rule *rule, struct pv_str text);

/* The offset from UTC at an instant (in seconds since 1970), and the instant
 * at which it may change next; INT64_MAX if never. */
int32_t pv_zone_rule_offset(
    const struct pv_zone_rule *rule, int64_t at_s, int64_t *change_s);

#endif
