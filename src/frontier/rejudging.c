#include "frontier/rejudging.h"

#include "store/statement.h"

/* In the order in which they were found: so whatever led to one has been judged
 * before it. Rows are changed while they are walked through, but none but the
 * one at hand. */
#define LIST                                                             \
	"SELECT id, url, via, ifnull((SELECT hops FROM addresses WHERE " \
	"id = known.via), 0) FROM addresses AS known "

static const char list_all[] = LIST "ORDER BY id";
static const char list_refused[] = LIST "WHERE state = 3 ORDER BY id";

static bool is_page(const struct pv_standing *standing)
{
	return standing->use == PV_PAGE ||
	       (standing->use == PV_REFUSED &&
		   (standing->found_as & PV_FOUND_AS_PAGE));
}

/* What lies one link too deep has nothing left, as what lies at the end. */
static bool has_common_depth(
    const struct pv_rejudging *rejudging, const struct pv_standing *standing)
{
	uint32_t before = rejudging->depth_before;
	if (before == PV_DEPTH_MAX)
		return standing->depth_left == PV_DEPTH_MAX;
	return standing->depth + standing->depth_left == before ||
	       (standing->use == PV_REFUSED && !standing->depth_left &&
		   standing->depth == before + 1);
}

static uint32_t depth_left_now(
    const struct pv_rejudging *rejudging, const struct pv_standing *standing)
{
	uint32_t now = rejudging->depth_now;
	if (rejudging->depth_before == now || !is_page(standing) ||
	    !has_common_depth(rejudging, standing))
		return standing->depth_left;
	if (now == PV_DEPTH_MAX)
		return PV_DEPTH_MAX;
	return now > standing->depth ? now - standing->depth : 0;
}

/* What was answered before is not refused for good. */
static void refuse(struct pv_rejudging *rejudging, struct pv_address_row *row)
{
	bool is_repeated = row->answer.outcome != PV_OUTCOME_NONE;
	rejudging->refused++;
	row->state = is_repeated ? PV_STATE_DONE : PV_STATE_REFUSED;
	row->is_left_out = is_repeated;
}

static void admit(struct pv_rejudging *rejudging, struct pv_address_row *row)
{
	rejudging->admitted++;
	row->state = PV_STATE_PENDING;
	row->attempt = 0;
	row->waits = 0;
	row->not_before_wall_ms = 0;
}

static void leave_out(
    struct pv_rejudging *rejudging, struct pv_address_row *row, bool is_refused)
{
	if (is_refused && !row->is_left_out)
		rejudging->left_out++;
	row->is_left_out = is_refused;
}

static void apply(struct pv_rejudging *rejudging, struct pv_address_row *row,
    const struct pv_standing *standing)
{
	bool is_refused = standing->use == PV_REFUSED;
	if (row->state == PV_STATE_PENDING && is_refused)
		refuse(rejudging, row);
	else if (row->state == PV_STATE_REFUSED && !is_refused)
		admit(rejudging, row);
	else if (row->state == PV_STATE_DONE)
		leave_out(rejudging, row, is_refused);
	if (row->state != PV_STATE_DONE) {
		row->standing = *standing;
		row->verdict = standing->verdict;
	} else if (!is_refused) {
		row->standing.hops = standing->hops;
	}
}

static bool is_changed(
    const struct pv_address_row *before, const struct pv_address_row *after)
{
	return before->state != after->state ||
	       before->is_left_out != after->is_left_out ||
	       before->verdict.reason != after->verdict.reason ||
	       before->verdict.line != after->verdict.line ||
	       !pv_standing_equal(&before->standing, &after->standing);
}

/* False if it stays as it was. */
static bool rejudge(struct pv_rejudging *rejudging, struct pv_known *known,
    struct pv_address_row *row)
{
	struct pv_address_row before = *row;
	known->state = row->state;
	known->reason = row->verdict.reason;
	known->has_common_depth = has_common_depth(rejudging, &row->standing);
	row->standing.depth_left = depth_left_now(rejudging, &row->standing);
	struct pv_standing standing = row->standing;
	if (rejudging->judge(rejudging->ctx, known, &standing)) {
		pv_standing_bound(&standing);
		apply(rejudging, row, &standing);
	}
	return is_changed(&before, row);
}

/* Whether anything is known that is to be asked about. */
static bool is_due(
    const struct pv_rejudging *rejudging, const struct pv_count_table *counts)
{
	bool is_due = rejudging->is_of_all;
	for (unsigned i = 0; i < PV_REASON_COUNT; i++)
		is_due |= rejudging->is_open[i] &&
			  counts->counts[PV_STATE_REFUSED][i];
	return is_due;
}

static void tell_refused(const struct pv_rejudging *rejudging,
    struct pv_address_table *addresses, uint64_t id)
{
	struct pv_visit visit;
	if (rejudging->on_refused &&
	    pv_address_table_get_refused(addresses, id, &visit))
		rejudging->on_refused(rejudging->refused_ctx, &visit);
	pv_address_table_reset_refused(addresses);
}

void pv_rejudging_run(struct pv_rejudging *rejudging,
    struct pv_address_table *addresses, struct pv_count_table *counts)
{
	if (!is_due(rejudging, counts))
		return;
	struct pv_statement *list = pv_statement_create(addresses->database,
	    rejudging->is_of_all ? list_all : list_refused);
	while (pv_statement_step(list)) {
		uint64_t id = (uint64_t)pv_statement_number(list, 0);
		struct pv_known known = {
		    .url = pv_statement_text(list, 1),
		    .was_found = pv_statement_number(list, 2) != 0,
		    .via_hops = (uint32_t)pv_statement_number(list, 3),
		};
		struct pv_address_row row;
		if (!pv_address_table_get(addresses, id, &row))
			break;
		struct pv_cause cause = pv_address_row_cause(&row);
		if (!rejudge(rejudging, &known, &row))
			continue;
		pv_address_table_set(addresses, id, &row);
		pv_count_table_move(counts, cause, pv_address_row_cause(&row));
		if (row.state == PV_STATE_REFUSED &&
		    cause.state != PV_STATE_REFUSED)
			tell_refused(rejudging, addresses, id);
	}
	pv_statement_destroy(list);
}
