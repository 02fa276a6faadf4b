#include "crawl/robots/forgotten_pace.h"

#include <stdlib.h>

#include "base/alloc.h"

void pv_forgotten_pace_finish(struct pv_forgotten_pace *pace)
{
	free(pace->day);
}

static bool has_hours(const struct pv_robots_matcher *matcher)
{
	bool has_any = false;
	for (size_t i = 0; i < pv_robots_group_count(matcher); i++)
		has_any =
		    has_any || pv_robots_group_at(matcher, i)->asks.hours_count;
	return has_any;
}

void pv_forgotten_pace_add(
    struct pv_forgotten_pace *pace, const struct pv_robots_matcher *matcher)
{
	int64_t delay_ms = pv_robots_delay_ms(matcher);
	if (delay_ms > pace->delay_ms)
		pace->delay_ms = delay_ms;
	if (!has_hours(matcher))
		return;
	if (!pace->day)
		pace->day = pv_alloc(sizeof(*pace->day));
	pv_robots_shut(matcher, pace->day);
}
