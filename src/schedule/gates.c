#include "schedule/gates.h"

#include <stdlib.h>

#include "base/alloc.h"

/* Among so many hosts in line for one clock an open address is looked for. */
#define CHOICE_MAX 32

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static struct pv_schedule_host *host_of(struct pv_line_link *link)
{
	return link ? PV_WHOLE(struct pv_schedule_host, link, link) : NULL;
}

struct pv_schedule_host *pv_gate_first_host(
    const struct pv_schedule_clock *clock)
{
	return host_of(clock->hosts.first);
}

static struct pv_schedule_clock *clock_of(struct pv_line_link *link)
{
	return link ? PV_WHOLE(struct pv_schedule_clock, link, link) : NULL;
}

/* Hosts */

void pv_gate_leave(struct pv_schedule *schedule, struct pv_schedule_host *host)
{
	pv_line_remove(host->is_waiting_for_hours ? &schedule->waiting_for_hours
						  : &host->clock->hosts,
	    &host->link);
	host->is_waiting_for_hours = false;
	pv_deadline_remove(&schedule->heap, &host->gate);
}

void pv_gate_line_up(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t ready_at)
{
	pv_gate_leave(schedule, host);
	host->ready_at = ready_at;
	pv_line_add(&host->clock->hosts, &host->link);
	pv_gate_clock(schedule, host->clock);
}

void pv_gate_host(
    struct pv_schedule *schedule, struct pv_schedule_host *host, int64_t now)
{
	bool is_parked = host->parked_until > now || host->is_paused;
	if (host->visits.count && !is_parked) {
		if (!host->link.is_waiting)
			pv_gate_line_up(schedule, host, now);
		return;
	}
	pv_gate_leave(schedule, host);
	if (host->visits.count && !host->is_paused &&
	    host->parked_until != PV_NEVER)
		pv_deadline_set(
		    &schedule->heap, &host->gate, host->parked_until);
	pv_gate_clock(schedule, host->clock);
}

void pv_gate_host_for_hours(struct pv_schedule *schedule,
    struct pv_schedule_host *host, struct pv_time now, int64_t wall_ms)
{
	if (!schedule->waiting_for_hours.first)
		schedule->wall_offset = now.wall_ms - now.monotonic_ms;
	pv_gate_leave(schedule, host);
	host->is_waiting_for_hours = true;
	pv_line_add(&schedule->waiting_for_hours, &host->link);
	pv_deadline_set(&schedule->heap, &host->gate,
	    now.monotonic_ms + wall_ms - now.wall_ms);
	pv_gate_clock(schedule, host->clock);
}

/* What nobody uses */

static void leave_over(struct pv_schedule *schedule, struct pv_deadline *due,
    bool *is_left_over, int64_t forget_at)
{
	if (!*is_left_over)
		pv_deadline_remove(&schedule->heap, due);
	*is_left_over = true;
	pv_deadline_set(&schedule->left_over, due, forget_at);
}

static void take_up(
    struct pv_schedule *schedule, struct pv_deadline *due, bool *is_left_over)
{
	if (*is_left_over)
		pv_deadline_remove(&schedule->left_over, due);
	*is_left_over = false;
}

/* Clocks */

static void leave_address(
    struct pv_schedule *schedule, struct pv_schedule_clock *clock)
{
	struct pv_schedule_address *address = clock->waits_at;
	if (!address)
		return;
	clock->waits_at = NULL;
	pv_line_remove(&address->clocks, &clock->link);
	pv_gate_address(schedule, address);
}

/* Brings to the front of a clock's line the first host whose address has not
 * failed, or the one that may be tried first: an address that cannot be
 * reached is not to keep others from the clock. Who only has to take turns at
 * an address keeps the place in line. */
static void choose_host(struct pv_schedule_clock *clock, int64_t due)
{
	struct pv_line_link *chosen = clock->hosts.first;
	struct pv_line_link *link = chosen;
	int64_t least = PV_NEVER;
	for (int i = 0; i < CHOICE_MAX && link; i++, link = link->behind) {
		int64_t rest = host_of(link)->address->clock.backoff.until;
		if (later(rest, due) >= least)
			continue;
		least = later(rest, due);
		chosen = link;
	}
	if (chosen == clock->hosts.first)
		return;
	pv_line_remove(&clock->hosts, chosen);
	pv_line_add_behind(&clock->hosts, NULL, chosen);
}

void pv_gate_clock(
    struct pv_schedule *schedule, struct pv_schedule_clock *clock)
{
	int64_t next = pv_host_clock_next(&clock->clock, clock->pace).until;
	choose_host(clock, next);
	struct pv_schedule_host *host = pv_gate_first_host(clock);
	if (host && next != PV_NEVER) {
		int64_t due = later(next, host->ready_at);
		if (clock->waits_at == host->address && due == clock->due.at)
			return;
		leave_address(schedule, clock);
		pv_deadline_set(&schedule->heap, &clock->due, due);
		return;
	}
	leave_address(schedule, clock);
	if (clock->host_count)
		pv_deadline_remove(&schedule->heap, &clock->due);
	else
		leave_over(schedule, &clock->due, &clock->is_left_over,
		    pv_host_clock_forget_at(&clock->clock, clock->pace));
}

/* They come in the order in which they became due, but for a few that were
 * sent back. */
void pv_gate_clock_at_address(
    struct pv_schedule *schedule, struct pv_schedule_clock *clock)
{
	struct pv_schedule_address *address =
	    pv_gate_first_host(clock)->address;
	struct pv_line_link *before = address->clocks.last;
	while (before && clock_of(before)->due.at > clock->due.at)
		before = before->before;
	pv_deadline_remove(&schedule->heap, &clock->due);
	pv_line_add_behind(&address->clocks, before, &clock->link);
	clock->waits_at = address;
	pv_gate_address(schedule, address);
}

static struct pv_schedule_clock *take_up_clock(
    struct pv_schedule *schedule, struct pv_schedule_clock *clock)
{
	take_up(schedule, &clock->due, &clock->is_left_over);
	return clock;
}

struct pv_schedule_clock *pv_gate_find_clock(
    struct pv_schedule *schedule, struct pv_str name)
{
	struct pv_named *named = pv_named_get(&schedule->clocks, name);
	if (named)
		return take_up_clock(
		    schedule, PV_WHOLE(struct pv_schedule_clock, named, named));
	struct pv_schedule_clock *clock = pv_alloc(sizeof(*clock) + name.len);
	pv_host_clock_init(&clock->clock);
	clock->due.kind = PV_GATE_CLOCK;
	memcpy(clock->name, pv_str_bytes(name), name.len);
	clock->named.name = (struct pv_str){clock->name, name.len};
	pv_wait_for(&clock->clock.restored,
	    pv_forgotten_until(&schedule->forgotten, name), PV_WAIT_FORGOTTEN);
	pv_named_add(&schedule->clocks, &clock->named);
	return clock;
}

static void forget_clock(
    struct pv_schedule *schedule, struct pv_schedule_clock *clock)
{
	pv_named_remove(&schedule->clocks, &clock->named);
	free(clock);
}

/* Addresses */

void pv_gate_address(
    struct pv_schedule *schedule, struct pv_schedule_address *address)
{
	struct pv_schedule_clock *clock = clock_of(address->clocks.first);
	int64_t next = pv_address_clock_next(&address->clock).until;
	if (clock && next != PV_NEVER)
		pv_deadline_set(
		    &schedule->heap, &address->due, later(next, clock->due.at));
	else if (address->users)
		pv_deadline_remove(&schedule->heap, &address->due);
	else
		leave_over(schedule, &address->due, &address->is_left_over,
		    pv_address_clock_forget_at(&address->clock, address->pace));
}

static struct pv_schedule_address *take_up_address(
    struct pv_schedule *schedule, struct pv_schedule_address *address)
{
	take_up(schedule, &address->due, &address->is_left_over);
	return address;
}

struct pv_schedule_address *pv_gate_find_address(
    struct pv_schedule *schedule, const struct pv_address *address)
{
	struct pv_str name = {(const char *)address->bytes, address->bits / 8u};
	struct pv_named *named = pv_named_get(&schedule->addresses, name);
	if (named)
		return take_up_address(schedule,
		    PV_WHOLE(struct pv_schedule_address, named, named));
	struct pv_schedule_address *found = pv_alloc(sizeof(*found));
	pv_address_clock_init(&found->clock);
	found->due.kind = PV_GATE_ADDRESS;
	found->address = *address;
	found->named.name =
	    (struct pv_str){(const char *)found->address.bytes, name.len};
	found->clock.restored_until =
	    pv_forgotten_until(&schedule->forgotten, name);
	pv_named_add(&schedule->addresses, &found->named);
	return found;
}

static void forget_address(
    struct pv_schedule *schedule, struct pv_schedule_address *address)
{
	pv_named_remove(&schedule->addresses, &address->named);
	free(address);
}

/* The end of both */

static struct pv_str name_of(struct pv_deadline *due)
{
	return due->kind == PV_GATE_CLOCK
		   ? PV_WHOLE(struct pv_schedule_clock, due, due)->named.name
		   : PV_WHOLE(struct pv_schedule_address, due, due)->named.name;
}

static void forget_first(struct pv_schedule *schedule, int64_t now)
{
	struct pv_deadline *first = pv_deadline_first(&schedule->left_over);
	pv_deadline_remove(&schedule->left_over, first);
	if (first->at > now)
		pv_forgotten_note(
		    &schedule->forgotten, name_of(first), first->at);
	if (first->kind == PV_GATE_CLOCK)
		forget_clock(
		    schedule, PV_WHOLE(struct pv_schedule_clock, due, first));
	else
		forget_address(
		    schedule, PV_WHOLE(struct pv_schedule_address, due, first));
}

void pv_gate_forget(struct pv_schedule *schedule, int64_t now)
{
	struct pv_deadline *first;
	while ((first = pv_deadline_first(&schedule->left_over)) &&
	       (first->at <= now ||
		   schedule->left_over.count > schedule->left_over_max))
		forget_first(schedule, now);
}

void pv_gate_finish(struct pv_schedule *schedule)
{
	while (schedule->clocks.count)
		forget_clock(schedule, PV_WHOLE(struct pv_schedule_clock, named,
					   schedule->clocks.items[0]));
	while (schedule->addresses.count)
		forget_address(
		    schedule, PV_WHOLE(struct pv_schedule_address, named,
				  schedule->addresses.items[0]));
	pv_named_table_finish(&schedule->clocks);
	pv_named_table_finish(&schedule->addresses);
	pv_deadline_heap_finish(&schedule->heap);
	pv_deadline_heap_finish(&schedule->left_over);
	pv_forgotten_finish(&schedule->forgotten);
}
