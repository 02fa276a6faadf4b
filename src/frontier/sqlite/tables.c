#include "frontier/sqlite/tables.h"

#include "store/tables/state_hosts.h"

/* Who asks for an address by itself wants its body: where there is none, that it
 * is as it was would not do. */
static bool has_copy(const struct pv_tables *tables,
    const struct pv_visit *visit, const struct pv_copy *copy)
{
	const struct pv_frontier *frontier = tables->frontier;
	if (visit->round && !copy->file.len)
		return false;
	return !frontier || !frontier->has_copy ||
	       frontier->has_copy(frontier->has_copy_ctx, copy);
}

/* What the address of a visit had before is of use only in an update, or in a
 * round of its own. Of a sitemap all that it says is to be heard anew. */
static void complete_copy(struct pv_tables *tables, struct pv_visit *visit)
{
	struct pv_copy_row row;
	if ((tables->round.round.number < 2 && !visit->round) ||
	    !pv_copy_table_get(&tables->copies, visit->id, &row))
		return;
	row.copy.is_there = has_copy(tables, visit, &row.copy);
	if (visit->standing.listing != PV_LISTS_NOTHING)
		row.copy.must_be_read = true;
	row.copy.is_as_listed =
	    pv_copy_row_is_as_listed(&row, tables->round.round.number);
	pv_buf_clear(&tables->packed);
	pv_copy_pack(&row.copy, &tables->packed);
	visit->copy = pv_buf_str(&tables->packed);
}

static void complete(void *ctx, struct pv_visit *visit)
{
	struct pv_tables *tables = ctx;
	struct pv_part part;
	pv_buf_clear(&tables->carry);
	pv_carry_table_get(&tables->carries, visit->id, &tables->carry);
	visit->carry = pv_buf_str(&tables->carry);
	if (visit->is_repeated) {
		visit->round =
		    pv_own_rounds_get(&tables->own_rounds, visit->id);
		complete_copy(tables, visit);
	}
	if (!pv_part_table_get(&tables->parts, visit->id, &part))
		return;
	pv_buf_clear(&tables->packed_part);
	pv_part_pack(&part, &tables->packed_part);
	visit->part = pv_buf_str(&tables->packed_part);
	visit->gains = part.gains;
}

static uint64_t count_known(const struct pv_tables *tables)
{
	struct pv_counts counts;
	uint64_t known = 0;
	pv_count_table_get(&tables->counts, &counts);
	for (unsigned i = 0; i < PV_STATE_COUNT; i++)
		known += counts.states[i];
	return known;
}

void pv_tables_init(struct pv_tables *tables, struct pv_database *database,
    struct pv_writer *writer)
{
	*tables = (struct pv_tables){
	    .writer = writer,
	    .batch =
		{
		    .addresses = &tables->addresses,
		    .hosts = &tables->hosts,
		    .counts = &tables->counts,
		    .copies = &tables->copies,
		    .carries = &tables->carries,
		    .own_rounds = &tables->own_rounds,
		    .room = &tables->room,
		    .round = &tables->round.round.number,
		},
	};
	pv_buf_init(&tables->packed, SIZE_MAX);
	pv_buf_init(&tables->packed_part, SIZE_MAX);
	pv_buf_init(&tables->carry, SIZE_MAX);
	pv_carry_table_init(&tables->carries, database);
	pv_own_rounds_init(&tables->own_rounds, database);
	pv_copy_table_init(&tables->copies, database);
	pv_part_table_init(&tables->parts, database);
	pv_round_table_init(&tables->round, database);
	pv_address_table_init(&tables->addresses, database);
	tables->addresses.complete = complete;
	tables->addresses.complete_ctx = tables;
	pv_host_table_init(&tables->hosts, database);
	pv_count_table_init(&tables->counts, database);
	pv_link_room_init(&tables->room, database, count_known(tables));
	pv_link_batch_init(&tables->batch);
}

void pv_tables_finish(struct pv_tables *tables)
{
	pv_link_batch_finish(&tables->batch);
	pv_link_room_finish(&tables->room);
	pv_host_table_finish(&tables->hosts);
	pv_address_table_finish(&tables->addresses);
	pv_copy_table_finish(&tables->copies);
	pv_carry_table_finish(&tables->carries);
	pv_part_table_finish(&tables->parts);
	pv_buf_finish(&tables->packed);
	pv_buf_finish(&tables->packed_part);
	pv_buf_finish(&tables->carry);
}

static void count_returned(struct pv_tables *tables, uint64_t count)
{
	struct pv_cause in_flight = {.state = PV_STATE_IN_FLIGHT};
	struct pv_cause pending = {.state = PV_STATE_PENDING};
	pv_count_table_add(&tables->counts, in_flight, -(int64_t)count);
	pv_count_table_add(&tables->counts, pending, (int64_t)count);
}

/* Addresses that are changed in a step between two of which it may be cut. */
#define AT_ONCE 500

static void cut(struct pv_tables *tables, uint64_t rows)
{
	pv_count_table_write(&tables->counts);
	pv_writer_cut(tables->writer, rows);
}

/* Visits first: hosts are asked whether they have any. What was left in good
 * order was counted then, and is known to have been until the last host is
 * recovered; so what is cut here goes on at the next start. */
struct pv_recovered pv_tables_recover(struct pv_tables *tables)
{
	struct pv_recovered recovered = {.visits = 0};
	bool was_left = pv_state_hosts_left_at(tables->hosts.database) >= 0;
	uint64_t count;
	while ((count = pv_address_table_return_some(
		    &tables->addresses, AT_ONCE))) {
		recovered.visits += count;
		if (!was_left)
			count_returned(tables, count);
		cut(tables, count);
	}
	recovered.hosts = pv_host_table_recover(&tables->hosts, tables->writer);
	pv_round_table_readmit(&tables->round, &tables->counts, tables->writer);
	pv_count_table_write(&tables->counts);
	if (was_left)
		return (struct pv_recovered){.hosts = 0};
	return recovered;
}

bool pv_tables_begin_round(
    struct pv_tables *tables, const struct pv_round_plan *plan)
{
	if (!pv_round_table_begin(&tables->round, plan))
		return false;
	pv_part_table_clear(&tables->parts);
	pv_round_table_readmit(&tables->round, &tables->counts, tables->writer);
	pv_count_table_write(&tables->counts);
	return true;
}

void pv_tables_rejudge(struct pv_tables *tables, struct pv_rejudging *rejudging)
{
	pv_rejudging_run(
	    rejudging, &tables->addresses, &tables->counts, tables->writer);
}

void pv_tables_finish_rejudging(struct pv_tables *tables)
{
	const struct pv_rejudged rejudged = {
	    .frontier = tables->frontier,
	    .addresses = &tables->addresses,
	    .carries = &tables->carries,
	    .counts = &tables->counts,
	};
	pv_rejudging_finish(&rejudged, tables->writer);
	pv_count_table_write(&tables->counts);
}

/* What waits is asked for in any case, and read whether or not it has
 * changed. */
static bool ask_again(struct pv_tables *tables, uint64_t id)
{
	struct pv_address_row row;
	pv_copy_table_set_must_be_read(&tables->copies, id);
	if (!pv_address_table_get(&tables->addresses, id, &row) ||
	    row.state != PV_STATE_DONE)
		return false;
	struct pv_cause before = pv_address_row_cause(&row);
	pv_address_row_ask_anew(&row);
	pv_address_table_set(&tables->addresses, id, &row);
	pv_count_table_move(
	    &tables->counts, before, pv_address_row_cause(&row));
	if (pv_host_table_holding(&tables->hosts, row.host_id) == PV_HOST_IDLE)
		pv_host_table_set_holding(
		    &tables->hosts, row.host_id, PV_HOST_WAITING);
	return true;
}

uint64_t pv_tables_set_ceilings(struct pv_tables *tables,
    const struct pv_link_ceilings *ceilings, bool forgets_traps)
{
	struct pv_link_room *room = &tables->room;
	uint64_t count = 0, page = 0;
	room->ceilings = *ceilings;
	if (forgets_traps)
		pv_link_room_forget_traps(room);
	pv_link_room_look(room);
	if (!room->left)
		return 0;
	while ((page = pv_link_room_next(room, page))) {
		count += ask_again(tables, page);
		cut(tables, 1);
	}
	pv_count_table_write(&tables->counts);
	return count;
}

/* Reports */

/* Of what there is a copy of, only a better one takes its place: whatever else
 * came in an update leaves the address as it was. Who asks for it by itself wants to
 * know what it is now. */
static bool keeps_answer(
    const struct pv_tables *tables, const struct pv_report *report)
{
	bool is_update = tables->round.round.number > 1;
	return report->visit.copy.len && !report->copy &&
	       (is_update || report->change == PV_CHANGE_SAME);
}

/* What was answered before is not refused for good: it is asked for in the next
 * round, if it may be then. */
static bool is_refused_again(
    const struct pv_tables *tables, const struct pv_report *report)
{
	return tables->round.round.number > 1 && report->visit.is_repeated;
}

static bool is_weaker(
    const struct pv_standing *visited, const struct pv_standing *known)
{
	struct pv_standing joined = *visited;
	return pv_standing_join(&joined, known);
}

/* Whether a link has named it as an earlier kind of page than it was read as,
 * while it was visited. */
static bool is_earlier_kind(
    const struct pv_report *report, const struct pv_address_row *row)
{
	unsigned named = row->standing.kind;
	return named != report->visit.standing.kind &&
	       pv_page_kind_first(report->result.kind, named) !=
		   report->result.kind;
}

/* An address that was found to stand better while it was visited is visited
 * once more, if that may lead further, or it is a page of another kind. */
static struct pv_cause end_visit(const struct pv_tables *tables,
    struct pv_address_row *row, const struct pv_report *report)
{
	switch (report->kind) {
	case PV_REPORT_LINKS:
		break;
	case PV_REPORT_DONE:
		if (!keeps_answer(tables, report))
			row->result = report->result;
		if (is_earlier_kind(report, row) ||
		    (row->result.may_lead_further &&
			is_weaker(&report->visit.standing, &row->standing))) {
			pv_address_row_ask_anew(row);
		} else {
			row->state = PV_STATE_DONE;
		}
		break;
	case PV_REPORT_AGAIN:
		row->state = PV_STATE_PENDING;
		row->not_before_wall_ms = report->visit.not_before_wall_ms;
		row->attempt++;
		break;
	case PV_REPORT_ONWARD:
		row->state = PV_STATE_PENDING;
		row->not_before_wall_ms = report->visit.not_before_wall_ms;
		break;
	case PV_REPORT_PUT_OFF:
		row->state = PV_STATE_PENDING;
		row->waits++;
		break;
	case PV_REPORT_LATER:
		row->state = PV_STATE_PENDING;
		break;
	case PV_REPORT_REFUSED:
		if (is_refused_again(tables, report)) {
			row->state = PV_STATE_DONE;
			break;
		}
		row->state = PV_STATE_REFUSED;
		row->verdict = report->verdict;
		break;
	}
	return pv_address_row_cause(row);
}

/* Of what is gone anything else than a page, or that it is, leaves open whether
 * it still is. */
static bool is_unsure(
    const struct pv_copy_row *row, const struct pv_report *report)
{
	return row->copy.is_gone && !report->copy &&
	       !pv_change_is_gone(&report->result);
}

/* What was answered where there is no page any more; 0 for nothing. */
static uint16_t status_in_its_place(const struct pv_report *report)
{
	bool is_page = report->copy || report->change == PV_CHANGE_SAME;
	bool is_answered = report->result.outcome == PV_OUTCOME_ANSWERED;
	return !is_page && is_answered ? report->result.http_status : 0;
}

/* What was found out is kept with the copy. */
static void change_copy(struct pv_copy_row *row, const struct pv_report *report)
{
	row->has_failed =
	    report->change == PV_CHANGE_FAILED || is_unsure(row, report);
	if (report->result.outcome != PV_OUTCOME_NONE || report->copy ||
	    report->change == PV_CHANGE_SAME)
		row->heard_status = status_in_its_place(report);
	if (report->change != PV_CHANGE_FAILED &&
	    report->result.outcome != PV_OUTCOME_NONE)
		row->checked_wall_ms = report->wall_ms;
	if (report->change == PV_CHANGE_GONE)
		row->copy.is_gone = true;
	if (report->copy) {
		row->copy = *report->copy;
		row->fetched_wall_ms = report->wall_ms;
	}
}

/* Only what is final counts: what is to be read again is compared with the copy
 * that there was. */
static void settle_copy(struct pv_tables *tables, struct pv_report *report)
{
	uint64_t round = tables->round.round.number;
	uint64_t id = report->visit.id;
	struct pv_copy_row row = {.round = 0};
	enum pv_change change = report->change;
	report->change = PV_CHANGE_NONE;
	if (!report->is_final && report->copy)
		pv_copy_table_leave_other(
		    &tables->copies, id, report->copy->file);
	if (!report->is_final || (!report->copy && !report->visit.copy.len))
		return;
	if (round > 1 || report->visit.copy.len)
		pv_copy_table_get(&tables->copies, id, &row);
	bool is_told = round == 1 || row.round == round;
	report->change = change;
	if ((round > 1 || report->visit.is_repeated) && report->copy)
		pv_copy_table_leave_file(
		    &tables->copies, id, report->copy->file);
	change_copy(&row, report);
	row.round = round;
	pv_copy_table_set(&tables->copies, id, &row);
	if (is_told)
		report->change = PV_CHANGE_NONE;
	else
		pv_round_table_count(&tables->round, change);
}

static void settle_part(
    struct pv_tables *tables, const struct pv_report *report)
{
	uint64_t id = report->visit.id;
	if (report->kind == PV_REPORT_DONE ||
	    report->kind == PV_REPORT_REFUSED || report->drops_part)
		pv_part_table_remove(&tables->parts, id);
	else if (report->part)
		pv_part_table_set(&tables->parts, id, report->part);
}

size_t pv_tables_add_links(struct pv_tables *tables,
    const struct pv_link_list *links, size_t first, size_t end)
{
	pv_link_batch_add(&tables->batch, links, first, end);
	return pv_link_pages_add(&tables->pages, links, first, end);
}

/* What is reported twice, or of a host that was given back, changes
 * nothing. */
void pv_tables_report(struct pv_tables *tables, struct pv_report *report)
{
	struct pv_address_row row;
	struct pv_cause in_flight = {.state = PV_STATE_IN_FLIGHT};
	const struct pv_visit *visit = &report->visit;
	if (report->wall_ms)
		tables->batch.wall_ms = report->wall_ms;
	if (visit->host_id)
		pv_host_table_save(
		    &tables->hosts, visit->host_id, &report->host);
	if (report->kind == PV_REPORT_LINKS)
		return;
	if (!pv_address_table_get(&tables->addresses, visit->id, &row) ||
	    row.state != PV_STATE_IN_FLIGHT)
		return;
	struct pv_cause cause = end_visit(tables, &row, report);
	pv_address_table_set(&tables->addresses, visit->id, &row);
	pv_count_table_move(&tables->counts, in_flight, cause);
	report->is_final = row.state == PV_STATE_DONE;
	settle_copy(tables, report);
	settle_part(tables, report);
	if (row.state == PV_STATE_PENDING)
		pv_link_batch_wake(&tables->batch, row.host_id,
		    pv_host_table_holding(&tables->hosts, row.host_id));
}

/* Hosts and visits */

void pv_tables_take_hosts(
    struct pv_tables *tables, struct pv_host_request *request)
{
	pv_link_batch_apply(&tables->batch);
	if (request->name.len) {
		pv_host_table_take_named(&tables->hosts, request->name,
		    request->now_ms, &request->hosts);
		return;
	}
	pv_host_table_take(
	    &tables->hosts, request->max, request->now_ms, &request->hosts);
	request->ready_count = pv_host_table_count_ready(
	    &tables->hosts, request->ready_by_wall_ms, request->ready_max);
	request->next_wall_ms = pv_host_table_next_ready(&tables->hosts);
}

static bool take_visits(
    struct pv_tables *tables, struct pv_visit_request *request)
{
	size_t before = request->visits.count;
	bool has_room = pv_address_table_take(&tables->addresses,
	    request->host_id, request->max - before, &request->visits);
	size_t taken = request->visits.count - before;
	struct pv_cause in_flight = {.state = PV_STATE_IN_FLIGHT};
	struct pv_cause pending = {.state = PV_STATE_PENDING};
	pv_count_table_add(&tables->counts, pending, -(int64_t)taken);
	pv_count_table_add(&tables->counts, in_flight, (int64_t)taken);
	return has_room && request->visits.count < request->max;
}

/* Gathered links are looked at only where the rest is not enough, for they are
 * cheaper the more they are. */
void pv_tables_take_visits(
    struct pv_tables *tables, struct pv_visit_request *request)
{
	if (pv_host_table_holding(&tables->hosts, request->host_id) <
		PV_HOST_HELD ||
	    !take_visits(tables, request))
		return;
	pv_link_batch_apply(&tables->batch);
	if (take_visits(tables, request))
		pv_host_table_set_holding(
		    &tables->hosts, request->host_id, PV_HOST_DRAINED);
}

uint64_t pv_tables_give_host(
    struct pv_tables *tables, const struct pv_host_return *giving)
{
	uint64_t host_id = giving->host_id;
	uint64_t returned =
	    pv_address_table_return(&tables->addresses, host_id);
	count_returned(tables, returned);
	pv_host_table_save(&tables->hosts, host_id, &giving->state);
	pv_host_table_set_holding(&tables->hosts, host_id, PV_HOST_IDLE);
	if (!giving->has_clock)
		pv_host_table_forget_held(&tables->hosts, host_id);
	if (pv_address_table_has_pending(&tables->addresses, host_id))
		pv_link_batch_wake(&tables->batch, host_id, PV_HOST_IDLE);
	return returned;
}

/* What is counted, and that they were left, comes last: who is killed in
 * between leaves hosts that are recovered as held. */
void pv_tables_give_all_hosts(
    struct pv_tables *tables, const struct pv_host_returns *giving)
{
	const struct pv_count_table *counts = &tables->counts;
	for (size_t i = 0; i < giving->count; i++) {
		pv_host_table_save(&tables->hosts, giving->items[i].host_id,
		    &giving->items[i].state);
		pv_writer_cut(tables->writer, 1);
	}
	count_returned(tables, (uint64_t)counts->counts[PV_STATE_IN_FLIGHT][0]);
	pv_host_table_leave_all(&tables->hosts, giving->now_ms);
}

static bool is_all_done(const struct pv_counts *counts)
{
	return !counts->states[PV_STATE_PENDING] &&
	       !counts->states[PV_STATE_IN_FLIGHT];
}

void pv_tables_count(struct pv_tables *tables, struct pv_count_request *request)
{
	pv_link_batch_apply(&tables->batch);
	pv_count_table_get(&tables->counts, &request->counts);
	if (request->is_last && is_all_done(&request->counts) &&
	    pv_round_table_go_on(&tables->round)) {
		pv_round_table_readmit(
		    &tables->round, &tables->counts, tables->writer);
		pv_count_table_get(&tables->counts, &request->counts);
	}
	request->round = tables->round.round;
	request->has_left_known = tables->room.left & PV_LEFT_KNOWN;
	request->has_left_traps = tables->room.left & PV_LEFT_TRAPS;
	if (request->wants_seeds)
		request->failed_seeds =
		    pv_address_table_failed_seeds(&tables->addresses);
}

void pv_tables_take_refused(
    struct pv_tables *tables, struct pv_refused_request *request)
{
	pv_link_batch_apply(&tables->batch);
	pv_address_table_refused(
	    &tables->addresses, request->after, request->max, &request->visits);
}

void pv_tables_settle(struct pv_tables *tables, struct pv_work *work)
{
	struct pv_link_batch *batch = &tables->batch;
	pv_link_batch_apply(batch);
	pv_host_table_write(&tables->hosts);
	pv_count_table_write(&tables->counts);
	pv_round_table_write(&tables->round);
	pv_link_pages_begin(&tables->pages);
	*work = (struct pv_work){
	    .woken = batch->woken,
	    .woken_count = batch->woken_count,
	    .has_waiting_hosts = batch->has_waiting_hosts,
	};
	batch->woken = NULL;
	batch->woken_count = batch->woken_size = 0;
	batch->has_waiting_hosts = false;
}
