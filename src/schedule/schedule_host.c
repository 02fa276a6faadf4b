#include "schedule/schedule_host.h"

#include <stdlib.h>

#include "base/array.h"
#include "schedule/gates.h"
#include "schedule/hours.h"

/* A clock or an address that the host was the only one to use is treated as
 * the host is; one that others use, too, as the strictest asks for. */

static void join_clock(struct pv_schedule *schedule,
    struct pv_schedule_host *host, struct pv_schedule_clock *clock)
{
	host->clock = clock;
	clock->pace = clock->host_count++ ? pv_pace_strictest(&schedule->paces,
						clock->pace, host->pace)
					  : host->pace;
}

static void leave_clock(
    struct pv_schedule *schedule, struct pv_schedule_host *host)
{
	pv_gate_leave(schedule, host);
	host->clock->host_count--;
	pv_gate_clock(schedule, host->clock);
}

static void join_address(
    struct pv_schedule_host *host, struct pv_schedule_address *address)
{
	host->address = address;
	address->users++;
	address->host_count++;
	address->pace = host->pace;
	pv_address_clock_join(&address->clock, host->pace);
}

static void leave_address(
    struct pv_schedule *schedule, struct pv_schedule_address *address)
{
	address->users--;
	address->host_count--;
	pv_gate_address(schedule, address);
}

struct pv_schedule_host *pv_schedule_host_add(
    struct pv_schedule *schedule, const struct pv_host_plan *plan, int64_t now)
{
	struct pv_schedule_host *host = pv_alloc(sizeof(*host));
	host->gate.kind = PV_GATE_HOST;
	host->ctx = plan->ctx;
	host->pace = pv_pace_of(&schedule->paces, plan->manners);
	host->number = (uint32_t)schedule->host_count;
	*PV_ARRAY_PUSH(
	    schedule->hosts, schedule->host_count, schedule->host_size) = host;
	join_clock(schedule, host, pv_gate_find_clock(schedule, plan->clock));
	join_address(host, pv_gate_find_address(schedule, plan->address));
	pv_gate_address(schedule, host->address);
	pv_gate_host(schedule, host, now);
	return host;
}

void pv_schedule_host_remove(
    struct pv_schedule *schedule, struct pv_schedule_host *host)
{
	leave_clock(schedule, host);
	leave_address(schedule, host->address);
	pv_visit_head_finish(&host->visits);
	struct pv_schedule_host *last = schedule->hosts[--schedule->host_count];
	schedule->hosts[host->number] = last;
	last->number = host->number;
	free(host->visit_time);
	free(host);
}

void *pv_schedule_host_ctx(const struct pv_schedule_host *host)
{
	return host->ctx;
}

/* What is in flight ends at the clock and the address where it began, so the
 * clock stays; and a clock that others share only gets stricter. */
void pv_schedule_host_move(struct pv_schedule *schedule,
    struct pv_schedule_host *host, const struct pv_host_plan *plan, int64_t now)
{
	struct pv_schedule_address *before = host->address;
	struct pv_schedule_clock *clock = host->clock;
	host->pace = pv_pace_of(&schedule->paces, plan->manners);
	clock->pace =
	    clock->host_count == 1
		? host->pace
		: pv_pace_strictest(&schedule->paces, clock->pace, host->pace);
	join_address(host, pv_gate_find_address(schedule, plan->address));
	leave_address(schedule, before);
	pv_gate_leave(schedule, host);
	pv_gate_host(schedule, host, now);
	pv_gate_clock(schedule, clock);
	pv_gate_address(schedule, host->address);
}

void pv_schedule_host_park(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t until, int64_t now)
{
	host->parked_until = until;
	pv_gate_host(schedule, host, now);
}

void pv_schedule_host_pause(struct pv_schedule *schedule,
    struct pv_schedule_host *host, bool is_paused, int64_t now)
{
	if (host->is_paused == is_paused)
		return;
	host->is_paused = is_paused;
	pv_gate_host(schedule, host, now);
}

void pv_schedule_host_crawl_delay(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t delay_ms)
{
	struct pv_schedule_clock *clock = host->clock;
	pv_host_clock_ask_delay(&clock->clock, delay_ms, clock->host_count > 1);
	pv_gate_clock(schedule, clock);
}

void pv_schedule_host_visit_time(struct pv_schedule *schedule,
    struct pv_schedule_host *host, const struct pv_hours *hours, int64_t now)
{
	free(host->visit_time);
	host->visit_time = NULL;
	if (hours && hours->count) {
		host->visit_time = pv_alloc(sizeof(*host->visit_time));
		*host->visit_time = *hours;
	}
	if (host->is_waiting_for_hours)
		pv_gate_line_up(schedule, host, now);
}

/* Visits */

size_t pv_schedule_push(struct pv_schedule *schedule,
    struct pv_schedule_host *host, const struct pv_visit_batch *batch,
    int64_t now)
{
	size_t taken = 0;
	while (taken < batch->count &&
	       pv_visit_head_push(&host->visits, batch->visits[taken]))
		taken++;
	pv_gate_host(schedule, host, now);
	return taken;
}

size_t pv_schedule_host_visits(const struct pv_schedule_host *host)
{
	return host->visits.count;
}

size_t pv_schedule_host_clear(struct pv_schedule *schedule,
    struct pv_schedule_host *host, uint64_t visits[PV_VISIT_HEAD_MAX])
{
	size_t count = 0;
	while (host->visits.count)
		visits[count++] = pv_visit_head_pop(&host->visits);
	pv_gate_leave(schedule, host);
	pv_gate_clock(schedule, host->clock);
	return count;
}

bool pv_schedule_push_first(struct pv_schedule *schedule,
    struct pv_schedule_host *host, uint64_t visit, int64_t now)
{
	if (!pv_visit_head_push_first(&host->visits, visit))
		return false;
	pv_gate_host(schedule, host, now);
	return true;
}

/* Clocks */

struct pv_saved_clock pv_schedule_host_save(
    const struct pv_schedule_host *host, struct pv_time now)
{
	struct pv_saved_clock saved =
	    pv_host_clock_save(&host->clock->clock, host->clock->pace, now);
	pv_address_clock_save(&host->address->clock, now, &saved);
	return saved;
}

void pv_schedule_host_restore(struct pv_schedule *schedule,
    struct pv_schedule_host *host, const struct pv_saved_clock *saved,
    struct pv_time now)
{
	pv_host_clock_restore(
	    &host->clock->clock, host->clock->pace, saved, now);
	pv_address_clock_restore(&host->address->clock, saved, now);
	pv_gate_clock(schedule, host->clock);
	pv_gate_address(schedule, host->address);
}

void pv_schedule_host_rest(
    struct pv_schedule *schedule, struct pv_schedule_host *host, int64_t since)
{
	pv_host_clock_rest(&host->clock->clock, since);
	if (host->address->clock.last_start < 0)
		pv_address_clock_rest(&host->address->clock, since);
	pv_gate_clock(schedule, host->clock);
	pv_gate_address(schedule, host->address);
}

uint32_t pv_schedule_host_failures(const struct pv_schedule_host *host)
{
	return host->clock->clock.backoff.failures;
}

/* Other crawls */

struct pv_host_dues pv_schedule_host_dues(const struct pv_schedule_host *host)
{
	const struct pv_host_clock *clock = &host->clock->clock;
	const struct pv_address_clock *address = &host->address->clock;
	const struct pv_pace *pace = host->clock->pace;
	bool is_in_doubt = clock->backoff.is_in_doubt;
	return (struct pv_host_dues){
	    .clock_until = pv_host_clock_due(clock, pace).until,
	    .clock_rest_ms = pv_host_clock_rest_ms(clock, pace),
	    .is_rest_from_end = pace->is_from_end,
	    .connections = is_in_doubt ? 1 : pace->connections,
	    .is_in_doubt = is_in_doubt,
	    .refused_since = clock->others_since,
	    .address_until = pv_address_clock_due(address).until,
	    .address_rest_ms = address->ip_delay_ms,
	    .address_refused_since = address->others_since,
	    .is_address_shared = host->address->host_count > 1,
	};
}

void pv_schedule_host_defer_clock(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t until, int64_t now)
{
	struct pv_host_clock *clock = &host->clock->clock;
	clock->others_until = until;
	if (!clock->others_since)
		clock->others_since = now;
	pv_gate_clock(schedule, host->clock);
}

void pv_schedule_host_defer_address(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t until, int64_t now)
{
	struct pv_address_clock *clock = &host->address->clock;
	clock->others_until = until;
	if (!clock->others_since)
		clock->others_since = now;
	pv_gate_address(schedule, host->address);
}

void pv_schedule_host_grant(struct pv_schedule_host *host)
{
	host->clock->clock.others_since = 0;
	host->address->clock.others_since = 0;
}

/* Why it waits */

static void wait_for_clocks(
    const struct pv_schedule_host *host, struct pv_wait *wait)
{
	struct pv_wait clock =
	    pv_host_clock_next(&host->clock->clock, host->clock->pace);
	struct pv_wait address = pv_address_clock_next(&host->address->clock);
	pv_wait_for(wait, clock.until, clock.reason);
	pv_wait_for(wait, address.until, address.reason);
}

static void wait_for_hours(const struct pv_schedule_host *host,
    struct pv_time now, struct pv_wait *wait)
{
	int64_t allowed_ms =
	    pv_hours_next_both(host->pace->hours, NULL, now.wall_ms);
	int64_t both_ms = pv_hours_next_both(
	    host->pace->hours, host->visit_time, now.wall_ms);
	if (allowed_ms > now.wall_ms)
		pv_wait_for(wait, now.monotonic_ms + allowed_ms - now.wall_ms,
		    PV_WAIT_HOURS);
	if (both_ms > allowed_ms)
		pv_wait_for(wait, now.monotonic_ms + both_ms - now.wall_ms,
		    PV_WAIT_VISIT_TIME);
}

static struct pv_wait wait_of(
    const struct pv_schedule_host *host, struct pv_time now)
{
	struct pv_wait wait = {now.monotonic_ms, PV_WAIT_NOT};
	pv_wait_for(&wait, host->parked_until, PV_WAIT_PARKED);
	if (host->is_paused)
		wait = (struct pv_wait){PV_NEVER, PV_WAIT_PAUSED};
	wait_for_hours(host, now, &wait);
	wait_for_clocks(host, &wait);
	return wait;
}

int64_t pv_schedule_host_ready_at(
    const struct pv_schedule_host *host, struct pv_time now)
{
	return wait_of(host, now).until;
}

const struct pv_schedule_host *pv_schedule_first_host(
    const struct pv_schedule *schedule)
{
	struct pv_deadline *first = pv_deadline_first(&schedule->heap);
	if (!first)
		return NULL;
	if (first->kind == PV_GATE_HOST)
		return PV_WHOLE(struct pv_schedule_host, gate, first);
	if (first->kind == PV_GATE_CLOCK)
		return pv_gate_first_host(
		    PV_WHOLE(struct pv_schedule_clock, due, first));
	return pv_gate_first_host(PV_WHOLE(struct pv_schedule_clock, link,
	    PV_WHOLE(struct pv_schedule_address, due, first)->clocks.first));
}

struct pv_wait pv_schedule_host_wait(const struct pv_schedule *schedule,
    const struct pv_schedule_host *host, struct pv_time now)
{
	if (!host->visits.count)
		return (struct pv_wait){PV_NEVER, PV_WAIT_NO_VISITS};
	struct pv_wait wait = wait_of(host, now);
	pv_scheduler_wait(schedule, now.monotonic_ms, &wait);
	return wait;
}
