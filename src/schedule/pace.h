#ifndef PAVANE_SCHEDULE_PACE_H
#define PAVANE_SCHEDULE_PACE_H

#include <stdbool.h>

#include "base/map.h"
#include "schedule/backoff.h"

struct pv_hours;
struct pv_manners;

/* What the schedule needs of a host's manners, kept once for all hosts that
 * are treated alike: of 100,000 hosts nearly all share a handful.
 *
 * A pace never changes and lives as long as the collection that gave it. The
 * texts of allowed_hours and timezone are borrowed from the policy, which
 * outlives it.
 */
struct pv_pace {
	int64_t delay_ms;
	double jitter;
	double delay_factor;
	int64_t max_delay_ms;
	int64_t connections;
	int64_t max_rate; /* PV_NONE: no bucket of the host's own */
	int64_t interval_ms;
	int64_t ip_delay_ms;
	struct pv_backoff_plan failure;
	struct pv_backoff_plan overload;
	const char **hours_texts;
	size_t hours_count;
	const char *timezone;
	int64_t is_from_end; /* rest after answers, not between starts */

	struct pv_hours *hours; /* made from the texts; NULL: always */
};

struct pv_paces {
	struct pv_map map; /* by all that a pace holds but its hours */
	struct pv_pace **items;
	size_t count;
	size_t size;
	struct named_zone *zones;
	size_t zone_count;
	size_t zone_size;
	const char *environment;
};

/* `environment` is the variable TZ (schedule/zone/zone_file.h), and is kept. */
void pv_paces_init(struct pv_paces *paces, const char *environment);
void pv_paces_finish(struct pv_paces *paces);

const struct pv_pace *pv_pace_of(
    struct pv_paces *paces, const struct pv_manners *manners);

/* The pace that keeps both, for a clock that several hosts share; hours stay
 * with each host, so this one has none. */
const struct pv_pace *pv_pace_strictest(
    struct pv_paces *paces, const struct pv_pace *a, const struct pv_pace *b);

#endif
