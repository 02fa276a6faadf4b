#include "frontier/sqlite/rejudging.h"

#include "frontier/sqlite/host_table.h"
#include "store/statement.h"
#include "store/tables/note.h"

/* Behind which address, and one more, they stand in `rejudged` and not yet as
 * that says; 0: nowhere. */
#define NOTE_LEFT PV_STR("rejudged-left")

/* In the order in which they were found: so whatever led to one has been judged
 * before it. */
#define LIST                                                          \
	"SELECT id, url, via, coalesce("                              \
	"(SELECT hops FROM rejudged WHERE id = known.via), "          \
	"(SELECT hops FROM addresses WHERE id = known.via), 0) FROM " \
	"addresses AS known WHERE id > ?1 "

static const char list_all[] = LIST "ORDER BY id LIMIT ?2";
static const char list_refused[] = LIST "AND state = 3 ORDER BY id LIMIT ?2";

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
	bool is_repeated = row->result.outcome != PV_OUTCOME_NONE;
	rejudging->refused++;
	row->state = is_repeated ? PV_STATE_DONE : PV_STATE_REFUSED;
	row->is_left_out = is_repeated;
}

static void admit(struct pv_rejudging *rejudging, struct pv_address_row *row)
{
	rejudging->admitted++;
	pv_address_row_ask_anew(row);
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
	bool is_refused = !pv_standing_is_admitted(standing);
	bool is_waiting = row->state == PV_STATE_PENDING ||
			  row->state == PV_STATE_ELSEWHERE;
	if (is_waiting && is_refused)
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

static bool is_asked(
    const struct pv_rejudging *rejudging, const struct pv_address_row *row)
{
	return rejudging->is_of_all || rejudging->is_open[row->verdict.reason];
}

bool pv_rejudging_judge(struct pv_rejudging *rejudging, struct pv_known *known,
    struct pv_address_row *row)
{
	struct pv_address_row before = *row;
	if (!is_asked(rejudging, row))
		return false;
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

/* One step of judging: up to so many addresses behind that one. How many there
 * were, and of how many something has changed. */
#define AT_ONCE 500

static size_t judge_some(struct pv_rejudging *rejudging,
    struct pv_address_table *addresses, struct pv_statement *list,
    uint64_t *after, size_t *changed)
{
	size_t count = 0;
	pv_statement_bind(list, 1, (int64_t)*after);
	pv_statement_bind(list, 2, AT_ONCE);
	for (*changed = 0; pv_statement_step(list); count++) {
		uint64_t id = (uint64_t)pv_statement_number(list, 0);
		struct pv_known known = {
		    .url = pv_statement_text(list, 1),
		    .was_found = pv_statement_number(list, 2) != 0,
		    .via_hops = (uint32_t)pv_statement_number(list, 3),
		};
		struct pv_address_row row;
		*after = id;
		if (!pv_address_table_get(addresses, id, &row) ||
		    !pv_rejudging_judge(rejudging, &known, &row))
			continue;
		pv_address_table_keep(addresses, id, &row);
		++*changed;
	}
	pv_statement_reset(list);
	return count;
}

void pv_rejudging_run(struct pv_rejudging *rejudging,
    struct pv_address_table *addresses, const struct pv_count_table *counts,
    struct pv_writer *writer)
{
	struct pv_database *database = addresses->database;
	uint64_t after = 0;
	size_t changed;
	pv_database_run(database, "DELETE FROM rejudged");
	if (!is_due(rejudging, counts))
		return;
	struct pv_statement *list = pv_statement_create(
	    database, rejudging->is_of_all ? list_all : list_refused);
	while (judge_some(rejudging, addresses, list, &after, &changed))
		pv_writer_cut(writer, changed);
	pv_statement_destroy(list);
	pv_note_set(database, NOTE_LEFT, 1);
}

void pv_rejudging_tell_refused(const struct pv_frontier *frontier,
    struct pv_address_table *addresses, uint64_t id)
{
	struct pv_visit visit;
	if (frontier->on_refused &&
	    pv_address_table_get_refused(addresses, id, &visit))
		frontier->on_refused(frontier->refused_ctx, &visit);
	pv_address_table_reset_refused(addresses);
}

/* Whether another shard has to hear of it. */
static bool is_elsewhere_now(
    const struct pv_address_row *before, const struct pv_address_row *row)
{
	return row->state == PV_STATE_REFUSED &&
	       pv_standing_is_elsewhere(&row->standing) &&
	       !pv_standing_equal(&before->standing, &row->standing);
}

static void tell_elsewhere(const struct pv_rejudged *rejudged, uint64_t id,
    const struct pv_address_row *row)
{
	const struct pv_frontier *frontier = rejudged->frontier;
	struct pv_visit visit;
	struct pv_buf carry;
	if (!frontier->on_elsewhere)
		return;
	pv_buf_init(&carry, SIZE_MAX);
	pv_carry_table_get(rejudged->carries, id, &carry);
	if (pv_address_table_get_refused(rejudged->addresses, id, &visit)) {
		const struct pv_link link = {
		    .standing = row->standing,
		    .url = visit.url,
		    .tag = visit.tag,
		    .carry = pv_buf_str(&carry),
		    .lastmod_wall_ms = row->lastmod_wall_ms,
		};
		frontier->on_elsewhere(
		    frontier->elsewhere_ctx, &link, visit.via);
	}
	pv_address_table_reset_refused(rejudged->addresses);
	pv_buf_finish(&carry);
}

static size_t apply_some(const struct pv_rejudged *rejudged, uint64_t *after)
{
	struct pv_address_table *addresses = rejudged->addresses;
	struct pv_count_table *counts = rejudged->counts;
	size_t count = 0;
	struct pv_address_row before, row;
	uint64_t id;
	while (count < AT_ONCE &&
	       (id = pv_address_table_next_kept(addresses, *after, &row)) &&
	       pv_address_table_get(addresses, id, &before)) {
		pv_address_table_set(addresses, id, &row);
		pv_count_table_move(counts, pv_address_row_cause(&before),
		    pv_address_row_cause(&row));
		if (row.state == PV_STATE_REFUSED &&
		    before.state != PV_STATE_REFUSED)
			pv_rejudging_tell_refused(
			    rejudged->frontier, addresses, id);
		if (is_elsewhere_now(&before, &row))
			tell_elsewhere(rejudged, id, &row);
		*after = id;
		count++;
	}
	return count;
}

void pv_rejudging_finish(
    const struct pv_rejudged *rejudged, struct pv_writer *writer)
{
	struct pv_database *database = rejudged->addresses->database;
	uint64_t after = (uint64_t)pv_note_get(database, NOTE_LEFT, 0);
	size_t count;
	if (!after--)
		return;
	while ((count = apply_some(rejudged, &after))) {
		pv_note_set(database, NOTE_LEFT, (int64_t)after + 1);
		pv_count_table_write(rejudged->counts);
		pv_writer_cut(writer, count);
	}
	pv_host_table_wake_all(database, writer);
	pv_database_run(database, "DELETE FROM rejudged");
	pv_note_set(database, NOTE_LEFT, 0);
}
