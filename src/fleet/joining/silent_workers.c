#include "fleet/joining/silent_workers.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/system.h"
#include "fleet/joining/joining.h"
#include "fleet/worker/worker.h"

/* So often in a ttl they are looked at. */
#define LOOKS 6

/* Of a worker's row: to be looked at, and to be reaped. */
enum { REAPED = 2 };

static struct pv_fleet_value int8(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT8, number);
}

static int64_t ttl_of(const struct pv_fleet *fleet)
{
	return fleet->options.ttl_ms ? fleet->options.ttl_ms : PV_FLEET_TTL_MS;
}

/* Others than `own` that were seen with another beat since the first look. */
static bool has_beaten(
    const struct pv_fleet_members *members, const struct pv_fleet_member *row)
{
	for (size_t i = 0; i < members->count; i++) {
		if (members->items[i].id == row->id)
			return members->items[i].beat != row->beat;
	}
	return members->heard_ms >= 0; /* it has come since */
}

static void hear_members(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	struct pv_silent_look *look = fleet->look;
	size_t rows = pv_fleet_results_rows(results, 0), count = 0;
	struct pv_fleet_member *others =
	    pv_alloc_array(rows ? rows : 1, sizeof(*others));
	for (size_t i = 0; i < rows; i++) {
		struct pv_fleet_member row = {
		    .id = pv_fleet_results_number(results, 0, i, 0),
		    .beat = pv_fleet_results_number(results, 0, i, 1),
		    .tried_ms = -1,
		};
		if (row.id == look->own)
			continue;
		look->is_living |= has_beaten(&look->members, &row);
		others[count++] = row;
	}
	pv_fleet_members_hear(&look->members, others, count, pv_boot_now_ms());
	free(others);
}

/* What was seen by an earlier connection says nothing any more. */
static bool see(struct pv_fleet *fleet)
{
	struct pv_silent_look *look = fleet->look;
	struct pv_fleet_value crawl =
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl);
	const struct pv_fleet_step step = {PV_SAY_MEMBERS, &crawl, 1};
	if (look->connection != fleet->connections)
		pv_fleet_members_reset(&look->members);
	look->connection = fleet->connections;
	return pv_joining_ask(fleet, &step, 1, hear_members);
}

static void hear_reaped(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	struct pv_silent_look *look = fleet->look;
	if (!pv_fleet_results_rows(results, REAPED)) {
		pv_fleet_members_note_held(
		    &look->members, look->dead, pv_boot_now_ms());
		return;
	}
	pv_fleet_members_remove(&look->members, look->dead);
	*PV_ARRAY_PUSH(fleet->reaped, fleet->reaped_count, fleet->reaped_size) =
	    (struct pv_fleet_reaped){look->dead, pv_boot_now_ms()};
}

static bool reap(struct pv_fleet *fleet, const struct pv_fleet_member *dead)
{
	struct pv_silent_look *look = fleet->look;
	bool is_stuck =
	    pv_fleet_member_is_stuck(&look->members, dead, pv_boot_now_ms());
	const struct pv_fleet_value end[] = {
	    int8(is_stuck ? dead->id : 0), int8(dead->beat)};
	const struct pv_fleet_value values[] = {
	    int8(dead->id), int8(dead->beat)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_TAKE_TIME, NULL, 0},
	    {PV_SAY_END_BACKENDS, end, 2},
	    {PV_SAY_REAP, values, 2},
	    {PV_SAY_FREE_CLOCKS, values, 1},
	};
	look->dead = dead->id;
	return pv_joining_ask(fleet, steps, 4, hear_reaped);
}

/* One whose row somebody holds stays where it is. */
static bool reap_dead(struct pv_fleet *fleet)
{
	const struct pv_fleet_members *members = &fleet->look->members;
	const struct pv_fleet_member *dead;
	size_t from = 0;
	while ((dead = pv_fleet_members_find_dead(
		    members, from, pv_boot_now_ms()))) {
		size_t count = members->count;
		from = (size_t)(dead - members->items);
		if (!reap(fleet, dead))
			return false;
		from += members->count == count;
	}
	return true;
}

static void rest(struct pv_fleet *fleet)
{
	int64_t until = pv_fleet_now(fleet) + ttl_of(fleet) / LOOKS;
	while (pv_fleet_now(fleet) < until && !pv_joining_is_enough(fleet))
		uv_run(fleet->options.loop, UV_RUN_ONCE);
}

static void tell(struct pv_fleet *fleet)
{
	struct pv_buf line;
	pv_buf_init(&line, 1000);
	pv_buf_append_format(&line,
	    "%zu %s counted as living: waiting up to %lld s for a sign of life",
	    fleet->look->members.count,
	    fleet->look->members.count == 1 ? "worker is" : "workers are",
	    (long long)(ttl_of(fleet) / 1000));
	fleet->options.on_line(fleet->options.ctx, false, pv_buf_text(&line));
	pv_buf_finish(&line);
}

static bool watch(struct pv_fleet *fleet)
{
	struct pv_silent_look *look = fleet->look;
	if (!see(fleet))
		return false;
	if (look->members.count)
		tell(fleet);
	while (look->members.count && !look->is_living) {
		rest(fleet);
		if (!see(fleet) || (!look->is_living && !reap_dead(fleet)))
			return false;
	}
	return true;
}

bool pv_silent_workers_reap(
    struct pv_fleet *fleet, int64_t own, int64_t *others)
{
	struct pv_silent_look look = {
	    .own = own, .connection = fleet->connections};
	pv_fleet_members_init(&look.members, ttl_of(fleet));
	fleet->look = &look;
	bool is_known = watch(fleet);
	fleet->look = NULL;
	*others = (int64_t)look.members.count;
	pv_fleet_members_finish(&look.members);
	return is_known;
}
