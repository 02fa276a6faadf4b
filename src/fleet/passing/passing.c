#include "fleet/passing/passing.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "fleet/passing/batch.h"
#include "fleet/worker/worker.h"
#include "frontier/sqlite/handover_out.h"

/* Rows of a batch, and their texts. */
#define ROWS_MAX 4000
#define TEXTS_MAX ((size_t)8 << 20)

/* After a batch that PostgreSQL did not take. */
#define REST_MS 200

/* A report that waits until it is passed on. */
struct pv_passed_report {
	struct pv_passed_report *next;
	struct pv_fleet *fleet;
	struct pv_report *report;
	void (*done)(struct pv_report *report, enum pv_store_status status);
	uint64_t number;
	bool is_committed; /* in the state */
};

void pv_passing_init(struct pv_passing *passing)
{
	*passing = (struct pv_passing){.has_changes = true};
	passing->last = &passing->first;
	pv_linked_init(&passing->linked);
}

void pv_passing_finish(struct pv_passing *passing)
{
	while (passing->first) {
		struct pv_passed_report *next = passing->first->next;
		free(passing->first);
		passing->first = next;
	}
	if (passing->is_taking || passing->is_sending)
		pv_parcels_finish(&passing->parcels);
	free(passing->drops);
	pv_linked_finish(&passing->linked);
}

/* Reports */

static void give_back(
    struct pv_passed_report *waiting, enum pv_store_status status)
{
	struct pv_report *report = waiting->report;
	waiting->fleet->passing.waiting--;
	report->done = waiting->done;
	report->done(report, status);
	free(waiting);
}

/* Takes those out of the line that are committed, up to a number. */
static struct pv_passed_report *take_up_to(
    struct pv_passing *passing, uint64_t number)
{
	struct pv_passed_report *taken = NULL, **end = &taken;
	struct pv_passed_report **link = &passing->first;
	while (*link && (*link)->number <= number) {
		struct pv_passed_report *waiting = *link;
		if (!waiting->is_committed) {
			link = &waiting->next;
			continue;
		}
		*link = waiting->next;
		waiting->next = NULL;
		*end = waiting;
		end = &waiting->next;
	}
	passing->last = &passing->first;
	while (*passing->last)
		passing->last = &(*passing->last)->next;
	return taken;
}

static void give_back_up_to(struct pv_passing *passing, uint64_t number)
{
	struct pv_passed_report *waiting = take_up_to(passing, number);
	while (waiting) {
		struct pv_passed_report *next = waiting->next;
		give_back(waiting, PV_STORE_OK);
		waiting = next;
	}
}

static void remove_from_line(
    struct pv_passing *passing, struct pv_passed_report *waiting)
{
	struct pv_passed_report **link = &passing->first;
	while (*link != waiting)
		link = &(*link)->next;
	*link = waiting->next;
	if (!*link)
		passing->last = link;
}

static void on_committed(struct pv_report *report, enum pv_store_status status)
{
	struct pv_passed_report *waiting = report->held;
	struct pv_fleet *fleet = waiting->fleet;
	waiting->is_committed = true;
	if (status != PV_STORE_OK || fleet->passing.has_let_go) {
		remove_from_line(&fleet->passing, waiting);
		give_back(waiting, status);
	}
	if (status == PV_STORE_OK)
		pv_passing_note_change(fleet);
}

bool pv_passing_report(
    struct pv_fleet *fleet, struct pv_report *report, int64_t now)
{
	struct pv_passing *passing = &fleet->passing;
	struct pv_passed_report *waiting = pv_alloc(sizeof(*waiting));
	*waiting = (struct pv_passed_report){
	    .fleet = fleet,
	    .report = report,
	    .done = report->done,
	    .number = passing->given + 1,
	};
	report->done = on_committed;
	report->held = waiting;
	if (!fleet->inner->report(fleet->frontier, report, now)) {
		report->done = waiting->done;
		free(waiting);
		return false;
	}
	passing->given++;
	passing->waiting++;
	*passing->last = waiting;
	passing->last = &waiting->next;
	return true;
}

/* Batches */

static bool ends_round(const struct pv_passing *passing)
{
	const struct pv_parcels *parcels = &passing->parcels;
	return !parcels->newest || parcels->change >= passing->target;
}

/* Links that were taken over go with the last batch of a round. */
static size_t drops_of(const struct pv_passing *passing)
{
	return ends_round(passing) ? passing->covered_drops : 0;
}

static void on_passed(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer);

static void send_batch(struct pv_fleet *fleet)
{
	struct pv_passing *passing = &fleet->passing;
	struct pv_batch batch;
	const struct pv_batch_drops drops = {
	    .links = passing->drops,
	    .count = drops_of(passing),
	    .activity = drops_of(passing) ? ++fleet->activity : 0,
	};
	pv_batch_init(&batch, fleet, &passing->parcels, &drops);
	passing->is_sending = true;
	passing->links_step = batch.links_step;
	pv_fleet_line_send(fleet->line, pv_fleet_request_create(batch.steps,
					    batch.count, on_passed, fleet));
	pv_batch_finish(&batch);
}

static void end_round(struct pv_passing *passing)
{
	uint64_t covered = passing->covered;
	passing->is_in_round = false;
	passing->ended = passing->begun;
	passing->drop_count -= passing->covered_drops;
	if (passing->drop_count)
		memmove(passing->drops, passing->drops + passing->covered_drops,
		    passing->drop_count * sizeof(*passing->drops));
	passing->covered_drops = 0;
	give_back_up_to(passing, covered);
}

/* Those of the batch before were looked at again by this one. */
static void note_linked(
    struct pv_passing *passing, const struct pv_fleet_results *results)
{
	size_t step = passing->links_step;
	pv_linked_clear(&passing->linked);
	if (!step)
		return;
	passing->linked.first = pv_fleet_results_number(results, step, 0, 2);
	for (size_t row = 0; row < pv_fleet_results_rows(results, step); row++)
		pv_linked_add(&passing->linked,
		    pv_fleet_results_text(results, step, row, 0),
		    pv_fleet_results_number(results, step, row, 1));
}

static void note_passed(struct pv_fleet *fleet)
{
	struct pv_passing *passing = &fleet->passing;
	bool is_end = ends_round(passing);
	/* Where there was no change the next one, which may be on the disk by
	 * now, is not among those that were passed on. */
	passing->passed = passing->parcels.newest ? passing->parcels.change : 0;
	passing->has_changes = passing->has_changes || passing->parcels.count ||
			       !is_end || passing->drop_count ||
			       passing->linked.count;
	pv_parcels_finish(&passing->parcels);
	if (is_end)
		end_round(passing);
}

static void on_passed(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	struct pv_passing *passing = &fleet->passing;
	(void)request;
	passing->is_sending = false;
	if (answer->status == PV_FLEET_OK) {
		note_linked(passing, answer->results);
		note_passed(fleet);
	} else {
		pv_parcels_finish(&passing->parcels);
		passing->has_changes = true;
		passing->rests_until = pv_fleet_now(fleet) + REST_MS;
		if (answer->status == PV_FLEET_REFUSED)
			pv_fleet_hear_refusal(fleet, answer);
	}
	pv_fleet_wake(fleet);
}

/* Taking them out of the state */

static void run_take(struct pv_tables_work *work, struct pv_tables *tables)
{
	struct pv_passing *passing = PV_WHOLE(struct pv_passing, work, work);
	struct pv_fleet *fleet = PV_WHOLE(struct pv_fleet, passing, passing);
	(void)tables;
	fleet->handover.server_ahead_ms = passing->ahead_ms;
	if (passing->passed)
		pv_handover_sent(&fleet->handover, passing->passed);
	pv_handover_take(
	    &fleet->handover, ROWS_MAX, passing->now, &passing->parcels);
}

static void on_taken(struct pv_tables_work *work, enum pv_store_status status)
{
	struct pv_passing *passing = PV_WHOLE(struct pv_passing, work, work);
	struct pv_fleet *fleet = PV_WHOLE(struct pv_fleet, passing, passing);
	struct pv_parcels *parcels = &passing->parcels;
	passing->is_taking = false;
	if (status != PV_STORE_OK || !pv_fleet_is_up(fleet)) {
		pv_parcels_finish(parcels);
		passing->has_changes = true;
		return;
	}
	passing->passed = 0;
	if (!passing->is_in_round)
		passing->target = parcels->newest;
	passing->is_in_round = true;
	if (parcels->count || drops_of(passing) || passing->linked.count) {
		send_batch(fleet);
		return;
	}
	note_passed(fleet);
	pv_fleet_wake(fleet);
}

static void take(struct pv_fleet *fleet)
{
	struct pv_passing *passing = &fleet->passing;
	passing->work = (struct pv_tables_work){
	    .run = run_take,
	    .done = on_taken,
	    .rows = ROWS_MAX / 4,
	};
	pv_parcels_init(&passing->parcels, TEXTS_MAX);
	passing->now = pv_fleet_time(fleet);
	passing->ahead_ms = pv_fleet_server_ahead_ms(fleet);
	if (!pv_sqlite_frontier_work(
		fleet->frontier, &passing->work, passing->now.monotonic_ms)) {
		pv_parcels_finish(&passing->parcels);
		return;
	}
	if (!passing->is_in_round) {
		passing->begun++;
		passing->covered = passing->given;
		passing->covered_drops = passing->drop_count;
	}
	passing->has_changes = false;
	passing->is_taking = true;
}

void pv_passing_drop_link(struct pv_passing *passing, int64_t number)
{
	*PV_ARRAY_PUSH(
	    passing->drops, passing->drop_count, passing->drop_size) = number;
	passing->has_changes = true;
}

void pv_passing_note_change(struct pv_fleet *fleet)
{
	fleet->passing.has_changes = true;
	pv_passing_step(fleet);
}

void pv_passing_step(struct pv_fleet *fleet)
{
	struct pv_passing *passing = &fleet->passing;
	if (passing->has_changes && !passing->is_taking &&
	    !passing->is_sending && !passing->is_giving_up &&
	    pv_fleet_now(fleet) >= passing->rests_until &&
	    pv_fleet_is_up(fleet))
		take(fleet);
}

bool pv_passing_is_done(const struct pv_passing *passing)
{
	return !passing->has_changes && !passing->is_taking &&
	       !passing->is_sending && !passing->first;
}

void pv_passing_let_go(struct pv_fleet *fleet)
{
	fleet->passing.has_let_go = true;
	give_back_up_to(&fleet->passing, UINT64_MAX);
}

void pv_passing_give_up(struct pv_fleet *fleet)
{
	fleet->passing.is_giving_up = true;
	pv_passing_let_go(fleet);
}
