#include "schedule/pace.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/least.h"
#include "policy/values/manners.h"
#include "policy/values/value.h"
#include "schedule/hours.h"
#include "schedule/zone/time_zone.h"
#include "schedule/zone/zone_file.h"

/* A rest after failures is drawn up to so much longer. */
#define BACKOFF_JITTER 0.1

struct named_zone {
	const char *name; /* the policy's */
	struct pv_time_zone *zone;
};

void pv_paces_init(struct pv_paces *paces, const char *environment)
{
	*paces = (struct pv_paces){.environment = environment};
	pv_map_init(&paces->map, (struct pv_hash_key){{0, 0}});
}

void pv_paces_finish(struct pv_paces *paces)
{
	for (size_t i = 0; i < paces->count; i++) {
		free(paces->items[i]->hours);
		free(paces->items[i]);
	}
	for (size_t i = 0; i < paces->zone_count; i++)
		pv_time_zone_destroy(paces->zones[i].zone);
	free(paces->items);
	free(paces->zones);
	pv_map_finish(&paces->map);
}

static const struct pv_time_zone *zone_of(
    struct pv_paces *paces, const char *name)
{
	for (size_t i = 0; i < paces->zone_count; i++) {
		if (strcmp(paces->zones[i].name, name) == 0)
			return paces->zones[i].zone;
	}
	struct named_zone *named =
	    PV_ARRAY_PUSH(paces->zones, paces->zone_count, paces->zone_size);
	*named = (struct named_zone){
	    name, pv_zone_file_open(pv_str_of(name), paces->environment)};
	return named->zone;
}

static struct pv_hours *hours_of(
    struct pv_paces *paces, const struct pv_pace *pace)
{
	if (!pace->hours_count)
		return NULL;
	struct pv_hours *hours = pv_alloc(sizeof(*hours));
	pv_hours_init(hours, zone_of(paces, pace->timezone));
	for (size_t i = 0; i < pace->hours_count; i++)
		pv_hours_add_text(hours, pv_str_of(pace->hours_texts[i]));
	return hours;
}

static struct pv_str key_of(const struct pv_pace *pace)
{
	return (struct pv_str){
	    (const char *)pace, offsetof(struct pv_pace, hours)};
}

/* The members fill the key without a gap, so equal paces are equal bytes. */
static const struct pv_pace *keep(
    struct pv_paces *paces, const struct pv_pace *pace)
{
	const uint32_t *number = pv_map_get(&paces->map, key_of(pace));
	if (number)
		return paces->items[*number];
	struct pv_pace *kept = pv_alloc(sizeof(*kept));
	memcpy(kept, pace, sizeof(*kept));
	kept->hours = hours_of(paces, kept);
	pv_map_add(&paces->map, key_of(kept), (uint32_t)paces->count);
	*PV_ARRAY_PUSH(paces->items, paces->count, paces->size) = kept;
	return kept;
}

static struct pv_backoff_plan plan_of(
    const struct pv_manners *manners, int64_t first_ms)
{
	return (struct pv_backoff_plan){
	    .first_ms = first_ms,
	    .factor = manners->backoff.factor,
	    .max_ms = manners->backoff.max_ms,
	    .forgive_ms = manners->backoff.forgive_ms,
	    .jitter = BACKOFF_JITTER,
	};
}

const struct pv_pace *pv_pace_of(
    struct pv_paces *paces, const struct pv_manners *manners)
{
	bool has_hours = manners->allowed_hours.count > 0;
	struct pv_pace pace = {
	    .delay_ms = manners->delay_ms,
	    .jitter = manners->jitter,
	    .delay_factor = manners->delay_factor,
	    .max_delay_ms = manners->max_delay_ms,
	    .connections = manners->connections,
	    .max_rate = manners->max_rate,
	    .interval_ms = manners->interval_ms,
	    .ip_delay_ms = manners->ip_delay_ms,
	    .failure = plan_of(manners, manners->backoff.failure_ms),
	    .overload = plan_of(manners, manners->backoff.overload_ms),
	    .is_from_end = manners->delay_from == PV_DELAY_FROM_END,
	};
	if (has_hours) {
		pace.hours_texts = manners->allowed_hours.items;
		pace.hours_count = manners->allowed_hours.count;
		pace.timezone = manners->timezone;
	}
	return keep(paces, &pace);
}

static double more(double a, double b)
{
	return a > b ? a : b;
}

static struct pv_backoff_plan strictest_plan(
    const struct pv_backoff_plan *a, const struct pv_backoff_plan *b)
{
	return (struct pv_backoff_plan){
	    .first_ms = pv_larger(a->first_ms, b->first_ms),
	    .factor = more(a->factor, b->factor),
	    .max_ms = pv_larger(a->max_ms, b->max_ms),
	    .forgive_ms = pv_larger(a->forgive_ms, b->forgive_ms),
	    .jitter = more(a->jitter, b->jitter),
	};
}

/* Fewer requests and longer intervals are both kept by the smaller count in
 * the longer interval. */
static void take_strictest_rate(struct pv_pace *pace, const struct pv_pace *b)
{
	if (b->max_rate == PV_NONE)
		return;
	bool has_none = pace->max_rate == PV_NONE;
	if (has_none || b->max_rate < pace->max_rate)
		pace->max_rate = b->max_rate;
	if (has_none || b->interval_ms > pace->interval_ms)
		pace->interval_ms = b->interval_ms;
}

const struct pv_pace *pv_pace_strictest(
    struct pv_paces *paces, const struct pv_pace *a, const struct pv_pace *b)
{
	struct pv_pace pace = {
	    .delay_ms = pv_larger(a->delay_ms, b->delay_ms),
	    .jitter = more(a->jitter, b->jitter),
	    .delay_factor = more(a->delay_factor, b->delay_factor),
	    .max_delay_ms = pv_larger(a->max_delay_ms, b->max_delay_ms),
	    .connections = a->connections < b->connections ? a->connections
							   : b->connections,
	    .max_rate = a->max_rate,
	    .interval_ms = a->interval_ms,
	    .ip_delay_ms = pv_larger(a->ip_delay_ms, b->ip_delay_ms),
	    .failure = strictest_plan(&a->failure, &b->failure),
	    .overload = strictest_plan(&a->overload, &b->overload),
	    .is_from_end = a->is_from_end || b->is_from_end,
	};
	take_strictest_rate(&pace, b);
	return keep(paces, &pace);
}
