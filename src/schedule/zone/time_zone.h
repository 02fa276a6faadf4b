#ifndef PAVANE_SCHEDULE_ZONE_TIME_ZONE_H
#define PAVANE_SCHEDULE_ZONE_TIME_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* A time zone: how far its clocks are from UTC, and when that changes.
 *
 * The C library knows only the zone of its process, which one would have to
 * change for everybody; so zone files are read here (RFC 8536, from version 2
 * on). Leap seconds are left aside.
 *
 * ICU has calendars with zones, but data of its own for them, which the
 * system's updates do not reach: where that was of 2022 and the system's of
 * 2025, 45 of 598 zones differed at some time from 1970 to 2037, 24 of them
 * after 2026, and 2 were unknown. Nor does it read the rules that TZ may hold.
 */
struct pv_time_zone;

/* A zone from the bytes of a zone file; NULL if they are none. */
struct pv_time_zone *pv_time_zone_read(struct pv_str bytes);

/* A zone that always follows one rule (schedule/zone/zone_rule.h); NULL if it is
 * none. */
struct pv_time_zone *pv_time_zone_ruled(struct pv_str rule);

/* Always so many seconds east of Greenwich. */
struct pv_time_zone *pv_time_zone_fixed(int32_t offset_s);

void pv_time_zone_destroy(struct pv_time_zone *zone);

/* The offset from UTC at an instant (in seconds since 1970), and the instant
 * at which it may change next; INT64_MAX if never. */
int32_t pv_time_zone_offset(
    const struct pv_time_zone *zone, int64_t at_s, int64_t *change_s);

#endif
