#include "schedule/next_host.h"

#include "schedule/gates.h"
#include "schedule/hours.h"

/* By less than this the wall clock is never set, but only corrected. */
#define WALL_JUMP_MS 1000

/* The first host in line for a clock, unless this is not one of its hours. */
static struct pv_schedule_host *at_its_hours(struct pv_schedule *schedule,
    const struct pv_schedule_clock *clock, struct pv_time now)
{
	struct pv_schedule_host *host = pv_gate_first_host(clock);
	int64_t wall_ms = pv_hours_next_both(
	    host->pace->hours, host->visit_time, now.wall_ms);
	if (wall_ms > now.wall_ms) {
		pv_gate_host_for_hours(schedule, host, now, wall_ms);
		return NULL;
	}
	return host;
}

static struct pv_schedule_clock *first_clock(
    const struct pv_schedule_address *address)
{
	return PV_WHOLE(struct pv_schedule_clock, link, address->clocks.first);
}

static struct pv_schedule_host *pass_clock(struct pv_schedule *schedule,
    struct pv_schedule_clock *clock, struct pv_time now)
{
	const struct pv_schedule_address *address =
	    pv_gate_first_host(clock)->address;
	if (!address->clocks.first &&
	    pv_address_clock_next(&address->clock).until <= now.monotonic_ms)
		return at_its_hours(schedule, clock, now);
	pv_gate_clock_at_address(schedule, clock);
	return NULL;
}

/* Lets pass what is due first; NULL if that leads to no host. */
static struct pv_schedule_host *pass(
    struct pv_schedule *schedule, struct pv_deadline *first, struct pv_time now)
{
	switch ((enum pv_gate_kind)first->kind) {
	case PV_GATE_HOST:
		pv_gate_line_up(schedule,
		    PV_WHOLE(struct pv_schedule_host, gate, first), first->at);
		return NULL;
	case PV_GATE_CLOCK:
		return pass_clock(schedule,
		    PV_WHOLE(struct pv_schedule_clock, due, first), now);
	case PV_GATE_ADDRESS:
		return at_its_hours(schedule,
		    first_clock(
			PV_WHOLE(struct pv_schedule_address, due, first)),
		    now);
	}
	return NULL;
}

struct pv_schedule_host *pv_next_host_find(
    struct pv_schedule *schedule, struct pv_time now)
{
	struct pv_deadline *first;
	while ((first = pv_deadline_first(&schedule->heap)) &&
	       first->at <= now.monotonic_ms) {
		struct pv_schedule_host *host = pass(schedule, first, now);
		if (host)
			return host;
	}
	return NULL;
}

void pv_next_host_heed_wall(struct pv_schedule *schedule, struct pv_time now)
{
	int64_t jump = now.wall_ms - now.monotonic_ms - schedule->wall_offset;
	if (jump < WALL_JUMP_MS && jump > -WALL_JUMP_MS)
		return;
	while (schedule->waiting_for_hours.first)
		pv_gate_line_up(schedule,
		    PV_WHOLE(struct pv_schedule_host, link,
			schedule->waiting_for_hours.first),
		    now.monotonic_ms);
}
