#include "fleet/leaving.h"

#include "fleet/giving/giving.h"
#include "fleet/passing/passing.h"
#include "fleet/taking/left_over.h"
#include "fleet/taking/taking.h"
#include "fleet/taking/widening.h"
#include "fleet/worker/worker.h"

/* Counts */

static void answer_count(struct pv_fleet *fleet, enum pv_store_status status)
{
	struct pv_count_request *request = fleet->held_count;
	fleet->held_count = NULL;
	fleet->is_counted = false;
	request->done = fleet->count_done;
	request->ctx = fleet->count_ctx;
	request->done(request, status);
}

static bool is_all_done(const struct pv_counts *counts)
{
	return !counts->states[PV_STATE_PENDING] &&
	       !counts->states[PV_STATE_IN_FLIGHT];
}

/* What is only asked for to be shown, or finds something left, is as it is. */
static void on_counted(
    struct pv_count_request *request, enum pv_store_status status)
{
	struct pv_fleet *fleet = request->ctx;
	if (fleet->has_work_since && is_all_done(&request->counts))
		request->counts.states[PV_STATE_PENDING] = 1;
	if (status == PV_STORE_OK && request->is_last &&
	    is_all_done(&request->counts) && !fleet->is_hurried &&
	    !fleet->is_lost) {
		fleet->is_counted = true;
		fleet->is_to_call = pv_fleet_now(fleet) >= fleet->call_at;
		pv_fleet_wake(fleet);
		return;
	}
	answer_count(fleet, status);
}

bool pv_leaving_count(
    struct pv_fleet *fleet, struct pv_count_request *request, int64_t now)
{
	if (!request->is_last || fleet->held_count)
		return fleet->inner->count(fleet->frontier, request, now);
	fleet->count_done = request->done;
	fleet->count_ctx = request->ctx;
	fleet->held_count = request;
	request->done = on_counted;
	request->ctx = fleet;
	fleet->has_work_since = false;
	if (fleet->inner->count(fleet->frontier, request, now))
		return true;
	request->done = fleet->count_done;
	request->ctx = fleet->count_ctx;
	fleet->held_count = NULL;
	return false;
}

void pv_leaving_note_work(struct pv_fleet *fleet)
{
	struct pv_count_request *request = fleet->held_count;
	fleet->has_work_since = true;
	if (!request || !fleet->is_counted)
		return;
	request->counts.states[PV_STATE_PENDING] = 1;
	answer_count(fleet, PV_STORE_OK);
}

/* The steps of asking whether all is done. The last one calls those that have something
 * left: when this one has come to have nothing, and once in a beat's time at most. */
enum {
	FENCE,
	LOCK,
	HEED,
	IDLE,
	STRAYS,
	FINISH,
	UNHEEDED,
	NEWS,
	CALL,
	FINISH_STEPS
};

/* Links that one look gives to their owners; the next look finds more. */
#define STRAYS_MAX 10000

static void on_asked_to_finish(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	(void)request;
	fleet->is_asking_to_finish = false;
	fleet->finish_at = pv_fleet_now(fleet) + PV_FLEET_LOOK_MS;
	if (answer->status == PV_FLEET_REFUSED)
		pv_fleet_hear_refusal(fleet, answer);
	if (answer->status != PV_FLEET_OK)
		return;
	if (fleet->is_calling) {
		fleet->is_to_call = false;
		fleet->call_at = pv_fleet_now(fleet) +
				 pv_fleet_beats_interval_ms(&fleet->beats);
	}
	pv_fleet_field_bool(pv_fleet_results_field(answer->results, NEWS, 0, 0),
	    &fleet->is_finished);
	pv_widening_note(fleet, answer->results, NEWS);
	pv_left_over_note(fleet, answer->results, UNHEEDED);
	pv_fleet_wake(fleet);
}

/* The crawl's row before the worker's own, as where a share grows: so neither waits
 * for the other, and no beat for the crawl's row. */
static void ask_to_finish(struct pv_fleet *fleet)
{
	struct pv_fleet_value worker[] = {
	    pv_fleet_number(PV_FLEET_INT8, fleet->worker)};
	struct pv_fleet_value idle[] = {
	    worker[0], pv_fleet_number(PV_FLEET_INT8, ++fleet->activity)};
	struct pv_fleet_value crawl[] = {
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl)};
	struct pv_fleet_value heeded[] = {
	    worker[0], pv_fleet_number(PV_FLEET_INT8, fleet->widening.heeded)};
	struct pv_fleet_value unheeded[] = {crawl[0],
	    pv_fleet_number(PV_FLEET_INT8, PV_LEFT_OVER_WORKERS_MAX),
	    worker[0]};
	struct pv_fleet_value strays[] = {
	    crawl[0], pv_fleet_number(PV_FLEET_INT8, STRAYS_MAX)};
	const struct pv_fleet_step steps[FINISH_STEPS] = {
	    [FENCE] = {PV_SAY_FENCE, fleet->fence, 2},
	    [LOCK] = {PV_SAY_LOCK_CRAWL, crawl, 1},
	    [HEED] = {PV_SAY_HEED_REDIRECTS, heeded, 2},
	    [IDLE] = {PV_SAY_IDLE, idle, 2},
	    [STRAYS] = {PV_SAY_MEND_STRAYS, strays, 2},
	    [FINISH] = {PV_SAY_FINISH, crawl, 1},
	    [UNHEEDED] = {PV_SAY_UNHEEDED, unheeded, 3},
	    [NEWS] = {PV_SAY_LOOK, crawl, 1},
	    [CALL] = {PV_SAY_CALL, crawl, 1},
	};
	size_t count = fleet->is_to_call ? FINISH_STEPS : CALL;
	fleet->is_calling = fleet->is_to_call;
	fleet->is_asking_to_finish = true;
	pv_fleet_line_send(fleet->line,
	    pv_fleet_request_create(steps, count, on_asked_to_finish, fleet));
}

static bool has_nothing(const struct pv_fleet *fleet)
{
	return fleet->is_counted && pv_passing_is_done(&fleet->passing) &&
	       pv_taking_is_done(&fleet->taking) &&
	       pv_widening_is_done(&fleet->widening) &&
	       pv_left_over_is_done(&fleet->left_over) &&
	       pv_giving_is_done(&fleet->giving);
}

/* Leaving */

static void answer_leaving(struct pv_fleet *fleet)
{
	struct pv_host_returns *giving = fleet->leaving;
	fleet->leaving = NULL;
	giving->done = fleet->leaving_done;
	giving->ctx = fleet->leaving_ctx;
	giving->done(giving, fleet->leaving_status);
}

static void on_all_given(
    struct pv_host_returns *giving, enum pv_store_status status)
{
	struct pv_fleet *fleet = giving->ctx;
	fleet->leaving_status = status;
	fleet->has_given_all = true;
	if (status != PV_STORE_OK || fleet->passing.is_giving_up ||
	    fleet->is_lost) {
		answer_leaving(fleet);
		return;
	}
	fleet->leave_by = pv_fleet_now(fleet) + (fleet->passing.has_let_go
							? PV_FLEET_LEAVE_SOON_MS
							: PV_FLEET_LEAVE_MS);
	pv_passing_note_change(fleet);
	pv_fleet_wake(fleet);
}

bool pv_leaving_give_all(
    struct pv_fleet *fleet, struct pv_host_returns *giving, int64_t now)
{
	fleet->leaving_done = giving->done;
	fleet->leaving_ctx = giving->ctx;
	giving->done = on_all_given;
	giving->ctx = fleet;
	if (fleet->inner->give_all_hosts(fleet->frontier, giving, now)) {
		fleet->leaving = giving;
		return true;
	}
	giving->done = fleet->leaving_done;
	giving->ctx = fleet->leaving_ctx;
	return false;
}

static void on_left(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	(void)request;
	(void)answer;
	if (fleet->leaving)
		answer_leaving(fleet);
}

/* Gives back all clocks, and the worker's number; its last figures stay there. */
static void leave(struct pv_fleet *fleet)
{
	struct pv_fleet_figures figures = {0};
	pv_fleet_figures(fleet, &figures);
	const struct pv_fleet_value last[] = {
	    pv_fleet_number(PV_FLEET_INT8, fleet->worker),
	    pv_fleet_number(PV_FLEET_INT4, 0),
	    pv_fleet_number(PV_FLEET_INT4, 0),
	    pv_fleet_number(PV_FLEET_INT8, figures.clocks),
	    pv_fleet_number(PV_FLEET_INT8, figures.requests),
	    pv_fleet_number(PV_FLEET_INT8, figures.unsent),
	    pv_fleet_bool(figures.is_halted), pv_fleet_bool(false)};
	const struct pv_fleet_step steps[] = {{PV_SAY_TAKE_TIME, NULL, 0},
	    {PV_SAY_BEAT, last, 8}, {PV_SAY_LEAVE, last, 1}};
	fleet->is_leaving = true;
	pv_fleet_beats_stop(&fleet->beats);
	pv_clock_events_reaped(&fleet->events, fleet->worker, pv_boot_now_ms());
	pv_fleet_line_send(
	    fleet->line, pv_fleet_request_create(steps, 3, on_left, fleet));
}

static void step_leaving(struct pv_fleet *fleet)
{
	if (!fleet->leaving || !fleet->has_given_all)
		return;
	if (pv_fleet_now(fleet) >= fleet->leave_by || fleet->is_lost) {
		pv_passing_give_up(fleet);
		answer_leaving(fleet);
		return;
	}
	if (fleet->is_leaving || !pv_passing_is_done(&fleet->passing) ||
	    !pv_fleet_is_up(fleet))
		return;
	leave(fleet);
}

/* Who ends does not wait for a database that is not there: the next run passes on what
 * it has not. */
static void step_hurry(struct pv_fleet *fleet)
{
	if (fleet->is_hurried && !pv_fleet_is_up(fleet) &&
	    !fleet->passing.has_let_go)
		pv_passing_let_go(fleet);
}

void pv_leaving_step(struct pv_fleet *fleet)
{
	step_hurry(fleet);
	step_leaving(fleet);
	if (!has_nothing(fleet))
		return;
	if (fleet->is_finished)
		answer_count(fleet, PV_STORE_OK);
	else if (!fleet->is_asking_to_finish && pv_fleet_is_up(fleet) &&
		 pv_fleet_now(fleet) >= fleet->finish_at)
		ask_to_finish(fleet);
}

void pv_leaving_give_up(struct pv_fleet *fleet)
{
	if (fleet->held_count && fleet->is_counted)
		answer_count(fleet, PV_STORE_OK);
}
