#include "frontier/tables.h"

void pv_tables_init(struct pv_tables *tables, struct pv_database *database)
{
	*tables = (struct pv_tables){
	    .batch =
		{
		    .addresses = &tables->addresses,
		    .hosts = &tables->hosts,
		    .counts = &tables->counts,
		},
	};
	pv_address_table_init(&tables->addresses, database);
	pv_host_table_init(&tables->hosts, database);
	pv_count_table_init(&tables->counts, database);
	pv_link_batch_init(&tables->batch);
}

void pv_tables_finish(struct pv_tables *tables)
{
	pv_link_batch_finish(&tables->batch);
	pv_host_table_finish(&tables->hosts);
	pv_address_table_finish(&tables->addresses);
}

static void count_returned(struct pv_tables *tables, uint64_t count)
{
	struct pv_cause in_flight = {.state = PV_STATE_IN_FLIGHT};
	struct pv_cause pending = {.state = PV_STATE_PENDING};
	pv_count_table_add(&tables->counts, in_flight, -(int64_t)count);
	pv_count_table_add(&tables->counts, pending, (int64_t)count);
}

/* Visits first: hosts are asked whether they have any. */
struct pv_recovered pv_tables_recover(struct pv_tables *tables)
{
	struct pv_recovered recovered;
	recovered.visits = pv_address_table_return_all(&tables->addresses);
	recovered.hosts = pv_host_table_recover(&tables->hosts);
	count_returned(tables, recovered.visits);
	pv_count_table_write(&tables->counts);
	return recovered;
}

/* Reports */

static bool is_weaker(
    const struct pv_standing *visited, const struct pv_standing *known)
{
	struct pv_standing joined = *visited;
	return pv_standing_join(&joined, known);
}

/* An address that was found to stand better while it was visited is visited
 * once more, if that may lead further. */
static struct pv_cause end_visit(
    struct pv_address_row *row, const struct pv_report *report)
{
	switch (report->kind) {
	case PV_REPORT_LINKS:
		break;
	case PV_REPORT_DONE:
		row->answer = report->answer;
		if (report->answer.may_lead_further &&
		    is_weaker(&report->visit.standing, &row->standing)) {
			row->state = PV_STATE_PENDING;
			row->attempt = 0;
			row->waits = 0;
			row->not_before_wall_ms = 0;
		} else {
			row->state = PV_STATE_DONE;
		}
		break;
	case PV_REPORT_AGAIN:
		row->state = PV_STATE_PENDING;
		row->not_before_wall_ms = report->visit.not_before_wall_ms;
		row->attempt++;
		break;
	case PV_REPORT_PUT_OFF:
		row->state = PV_STATE_PENDING;
		row->waits++;
		break;
	case PV_REPORT_LATER:
		row->state = PV_STATE_PENDING;
		break;
	case PV_REPORT_REFUSED:
		row->state = PV_STATE_REFUSED;
		row->verdict = report->verdict;
		break;
	}
	return pv_address_row_cause(row);
}

/* What is reported twice, or of a host that was given back, changes
 * nothing. */
void pv_tables_report(struct pv_tables *tables, struct pv_report *report)
{
	struct pv_address_row row;
	struct pv_cause in_flight = {.state = PV_STATE_IN_FLIGHT};
	const struct pv_visit *visit = &report->visit;
	pv_link_batch_add(&tables->batch, &report->links);
	if (visit->host_id)
		pv_host_table_save(
		    &tables->hosts, visit->host_id, &report->host);
	if (report->kind == PV_REPORT_LINKS)
		return;
	if (!pv_address_table_get(&tables->addresses, visit->id, &row) ||
	    row.state != PV_STATE_IN_FLIGHT)
		return;
	struct pv_cause cause = end_visit(&row, report);
	pv_address_table_set(&tables->addresses, visit->id, &row);
	pv_count_table_move(&tables->counts, in_flight, cause);
	report->is_final = row.state == PV_STATE_DONE;
	if (row.state == PV_STATE_PENDING)
		pv_link_batch_wake(&tables->batch, row.host_id,
		    pv_host_table_holding(&tables->hosts, row.host_id));
}

/* Hosts and visits */

void pv_tables_take_hosts(
    struct pv_tables *tables, struct pv_host_request *request)
{
	pv_link_batch_apply(&tables->batch);
	if (request->name.len)
		pv_host_table_take_named(
		    &tables->hosts, request->name, &request->hosts);
	else
		pv_host_table_take(
		    &tables->hosts, request->max, &request->hosts);
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

void pv_tables_give_host(
    struct pv_tables *tables, const struct pv_host_return *giving)
{
	uint64_t host_id = giving->host_id;
	count_returned(
	    tables, pv_address_table_return(&tables->addresses, host_id));
	pv_host_table_save(&tables->hosts, host_id, &giving->state);
	pv_host_table_set_holding(&tables->hosts, host_id, PV_HOST_IDLE);
	if (pv_address_table_has_pending(&tables->addresses, host_id))
		pv_link_batch_wake(&tables->batch, host_id, PV_HOST_IDLE);
}

void pv_tables_count(struct pv_tables *tables, struct pv_count_request *request)
{
	pv_link_batch_apply(&tables->batch);
	pv_count_table_get(&tables->counts, &request->counts);
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
	*work = (struct pv_work){
	    .woken = batch->woken,
	    .woken_count = batch->woken_count,
	    .has_waiting_hosts = batch->has_waiting_hosts,
	};
	batch->woken = NULL;
	batch->woken_count = batch->woken_size = 0;
	batch->has_waiting_hosts = false;
}
