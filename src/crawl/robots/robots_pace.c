#include "crawl/robots/robots_pace.h"

#include "crawl/conductor.h"
#include "crawl/host/giving_up.h"
#include "crawl/progress/events.h"
#include "schedule/hours.h"

/* The longest Crawl-delay of a host's authorities is the host's. */
static void apply_delay(struct pv_live_host *host)
{
	int64_t delay_ms = host->robots_pace.forgotten.delay_ms;
	struct pv_authority *authority = host->authorities;
	for (; authority; authority = authority->host_next) {
		int64_t asked_ms =
		    authority->rules
			? pv_robots_delay_ms(authority->rules->matcher)
			: 0;
		if (asked_ms > delay_ms)
			delay_ms = asked_ms;
	}
	if (delay_ms == host->robots_pace.delay_ms || !host->scheduled)
		return;
	host->robots_pace.delay_ms = delay_ms;
	if (delay_ms)
		pv_events_crawl_delay(host, delay_ms);
	pv_schedule_host_crawl_delay(
	    host->crawl->schedule, host->scheduled, delay_ms);
}

/* Of a day of which some minutes are shut, the hours that are not; false, if
 * there are none. */
static bool find_hours(const struct pv_robots_day *day, struct pv_hours *hours)
{
	size_t from = 0;
	pv_hours_init(hours, NULL);
	while (from < PV_ROBOTS_DAY_MINUTES) {
		size_t to = from;
		while (to < PV_ROBOTS_DAY_MINUTES && !day->is_shut[to])
			to++;
		if (to > from)
			pv_hours_add(hours, from, to);
		from = to + 1;
	}
	return hours->count > 0;
}

/* Its authorities' Visit-times hold all at once. */
static void apply_hours(struct pv_live_host *host)
{
	struct pv_robots_day day = {{false}};
	struct pv_hours hours;
	struct pv_authority *authority = host->authorities;
	bool is_limited = false;
	if (host->robots_pace.forgotten.day)
		day = *host->robots_pace.forgotten.day;
	for (; authority; authority = authority->host_next) {
		if (authority->rules)
			pv_robots_shut(authority->rules->matcher, &day);
	}
	for (size_t i = 0; i < PV_ROBOTS_DAY_MINUTES; i++)
		is_limited = is_limited || day.is_shut[i];
	if (!host->scheduled ||
	    (!is_limited && !host->robots_pace.has_visit_time))
		return;
	host->robots_pace.has_visit_time = is_limited;
	if (is_limited && !find_hours(&day, &hours))
		pv_giving_up_shut(host);
	else
		pv_schedule_host_visit_time(host->crawl->schedule,
		    host->scheduled, is_limited ? &hours : NULL,
		    pv_crawl_now(host->crawl));
}

void pv_robots_pace_apply(struct pv_live_host *host)
{
	if (!host)
		return;
	apply_delay(host);
	apply_hours(host);
	pv_giving_up_look_at_robots(host, host->robots_pace.delay_ms);
}
