#ifndef PAVANE_SCHEDULE_ZONE_ZONE_FILE_H
#define PAVANE_SCHEDULE_ZONE_ZONE_FILE_H

#include "base/str.h"

/* Finds the time zones that a policy names: local, UTC, +02:00, or one of the
 * system's zone files such as Europe/Berlin.
 *
 * As in the C library, a zone that cannot be read is UTC; the policy has been
 * checked before. `environment` is the variable TZ, NULL where it is not set:
 * it says what local is, and without it /etc/localtime does.
 */
struct pv_time_zone *pv_zone_file_open(
    struct pv_str name, const char *environment);

#endif
