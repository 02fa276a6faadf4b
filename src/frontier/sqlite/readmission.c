#include "frontier/sqlite/readmission.h"

#include "store/statement.h"

/* So many numbers are looked through in a step. */
#define STEP_IDS 10000

/* How far away a page was that another worker has read is not known here: what was
 * found there is admitted only if it is in scope by itself. */
#define LIST                                                                \
	"SELECT id, url, via, iif(via > 0, coalesce((SELECT hops FROM "     \
	"addresses WHERE id = known.via), 0), ?3) FROM addresses AS known " \
	"WHERE id > ?1 AND id <= ?2 AND state = 3 ORDER BY id"

bool pv_readmission_judge(struct pv_rejudging *rejudging,
    struct pv_known *known, struct pv_address_row *row)
{
	struct pv_standing standing = row->standing;
	known->state = row->state;
	known->reason = row->verdict.reason;
	if (row->state != PV_STATE_REFUSED ||
	    !rejudging->is_open[row->verdict.reason] ||
	    !rejudging->judge(rejudging->ctx, known, &standing))
		return false;
	pv_standing_bound(&standing);
	if (!pv_standing_is_admitted(&standing))
		return false;
	row->standing = standing;
	row->verdict = standing.verdict;
	pv_address_row_ask_anew(row);
	rejudging->admitted++;
	return true;
}

static void readmit(
    struct pv_tables *tables, uint64_t id, struct pv_address_row *row)
{
	enum pv_holding holding =
	    pv_host_table_holding(&tables->hosts, row->host_id);
	if (holding == PV_HOST_AWAY)
		row->state = PV_STATE_ELSEWHERE;
	pv_address_table_set(&tables->addresses, id, row);
	if (row->state == PV_STATE_PENDING)
		pv_link_batch_wake(&tables->batch, row->host_id, holding);
}

static void judge_one(struct pv_readmission *readmission,
    struct pv_tables *tables, const struct pv_statement *list)
{
	uint64_t id = (uint64_t)pv_statement_number(list, 0);
	int64_t via = pv_statement_number(list, 2);
	struct pv_known known = {
	    .url = pv_statement_text(list, 1),
	    .was_found = via != 0,
	    .via_hops = via ? (uint32_t)pv_statement_number(list, 3) : 0,
	};
	struct pv_address_row row;
	if (!pv_address_table_get(&tables->addresses, id, &row))
		return;
	struct pv_cause before = pv_address_row_cause(&row);
	if (!pv_readmission_judge(&readmission->rejudging, &known, &row))
		return;
	readmit(tables, id, &row);
	pv_count_table_move(
	    &tables->counts, before, pv_address_row_cause(&row));
}

bool pv_readmission_step(
    struct pv_readmission *readmission, struct pv_tables *tables)
{
	pv_link_batch_apply(&tables->batch);
	uint64_t last = tables->batch.next_id - 1, end = last;
	if (readmission->after >= last)
		return false;
	if (end > readmission->after + STEP_IDS)
		end = readmission->after + STEP_IDS;
	struct pv_statement *list =
	    pv_statement_create(tables->addresses.database, LIST);
	pv_statement_bind(list, 1, (int64_t)readmission->after);
	pv_statement_bind(list, 2, (int64_t)end);
	pv_statement_bind(list, 3, PV_HOPS_MAX);
	while (pv_statement_step(list))
		judge_one(readmission, tables, list);
	pv_statement_destroy(list);
	readmission->after = end;
	return end < last;
}
