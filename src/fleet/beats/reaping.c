#include "fleet/beats/reaping.h"

#include "base/system.h"
#include "fleet/tables/statements.h"

/* The steps of reaping one. */
enum { PATIENCE, TIME, END, REAP, FREE, HELD, REAP_STEPS };

static struct pv_fleet_value int8(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT8, number);
}

static void note_reaped(struct pv_fleet_beats *beats, int64_t worker)
{
	pv_fleet_members_remove(&beats->members, worker);
	if (beats->options.events)
		pv_clock_events_reaped(
		    beats->options.events, worker, pv_boot_now_ms());
	if (beats->options.on_reaped)
		beats->options.on_reaped(beats->options.ctx, worker);
}

static void reap_next(struct pv_fleet_beats *beats, int64_t now_ms);

static void hear_reaped(
    struct pv_fleet_beats *beats, const struct pv_fleet_results *results)
{
	if (pv_fleet_results_rows(results, REAP))
		note_reaped(
		    beats, pv_fleet_results_number(results, REAP, 0, 0));
	else if (pv_fleet_results_rows(results, HELD))
		pv_fleet_members_note_held(&beats->members,
		    pv_fleet_results_number(results, HELD, 0, 0),
		    pv_boot_now_ms());
}

static void on_reap_answer(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet_beats *beats = ctx;
	(void)request;
	beats->is_reaping = false;
	if (beats->is_over)
		return;
	if (answer->status == PV_FLEET_REFUSED)
		beats->options.on_refusal(beats->options.ctx, answer);
	if (answer->status == PV_FLEET_LOST)
		return;
	if (answer->status == PV_FLEET_OK)
		hear_reaped(beats, answer->results);
	if (!beats->is_over)
		reap_next(beats, pv_boot_now_ms());
}

/* The connections of one that is stuck are ended first, and waited for a moment: then
 * its row is free, or at the next beat. */
static void reap(
    struct pv_fleet_beats *beats, const struct pv_fleet_member *member)
{
	bool is_stuck =
	    pv_fleet_member_is_stuck(&beats->members, member, pv_boot_now_ms());
	struct pv_buf text;
	const struct pv_fleet_value most =
	    pv_fleet_beats_patience(beats, &text);
	const struct pv_fleet_value end[] = {
	    int8(is_stuck ? member->id : 0), int8(member->beat)};
	const struct pv_fleet_value values[] = {
	    int8(member->id), int8(member->beat)};
	const struct pv_fleet_step steps[REAP_STEPS] = {
	    [PATIENCE] = {PV_SAY_PATIENCE, &most, 1},
	    [TIME] = {PV_SAY_TAKE_TIME, NULL, 0},
	    [END] = {PV_SAY_END_BACKENDS, end, 2},
	    [REAP] = {PV_SAY_REAP, values, 2},
	    [FREE] = {PV_SAY_FREE_CLOCKS, values, 1},
	    [HELD] = {PV_SAY_HELD, values, 2},
	};
	beats->is_reaping = true;
	beats->reaped = member->id;
	pv_fleet_line_send(beats->options.long_line,
	    pv_fleet_request_create(steps, REAP_STEPS, on_reap_answer, beats));
	pv_buf_finish(&text);
}

/* The first dead one behind the last that was tried, unless a beat has to come
 * first: after that it begins anew. */
static void reap_next(struct pv_fleet_beats *beats, int64_t now_ms)
{
	const struct pv_fleet_members *members = &beats->members;
	size_t from = 0;
	while (
	    from < members->count && members->items[from].id <= beats->reaped)
		from++;
	const struct pv_fleet_member *member =
	    pv_fleet_members_find_dead(members, from, now_ms);
	if (member && !beats->is_reaping)
		reap(beats, member);
}

void pv_reaping_look(struct pv_fleet_beats *beats, int64_t now_ms)
{
	if (beats->is_reaping || !pv_fleet_line_is_up(beats->options.long_line))
		return;
	beats->reaped = 0;
	reap_next(beats, now_ms);
}
