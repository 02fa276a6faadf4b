#include "frontier/sqlite/renewal.h"

#include "frontier/sqlite/rejudging.h"

void pv_renewal_init(struct pv_renewal *renewal)
{
	*renewal = (struct pv_renewal){.policy = 1, .round = 1};
}

static bool judge(
    const struct pv_renewal *renewal, struct pv_packed_address *address)
{
	struct pv_rejudging *rejudging;
	struct pv_known known = {
	    .url = address->url,
	    .was_found = address->via.len > 0,
	    .via_hops = address->via_hops,
	};
	if (address->policy >= renewal->policy || !renewal->since)
		return false;
	rejudging = renewal->since(renewal->ctx, address->policy);
	return rejudging &&
	       pv_rejudging_judge(rejudging, &known, &address->row);
}

/* What round_table.c says of rows that stand in the state. */
static bool is_due(
    const struct pv_renewal *renewal, const struct pv_packed_address *address)
{
	const struct pv_address_row *row = &address->row;
	const struct pv_copy_row *copy = &address->copy;
	bool has_failed = row->state == PV_STATE_REFUSED &&
			  row->verdict.reason == PV_REASON_ROBOTS_UNREACHABLE;
	if ((row->state != PV_STATE_DONE && !has_failed) || row->is_left_out)
		return false;
	if (!address->has_copy)
		return renewal->takes_failed;
	return copy->round != renewal->round &&
	       (copy->checked_wall_ms <= renewal->before_wall_ms ||
		   copy->checked_wall_ms > renewal->began_wall_ms);
}

static bool begin_round(
    const struct pv_renewal *renewal, struct pv_packed_address *address)
{
	struct pv_address_row *row = &address->row;
	if (address->round >= renewal->round || !is_due(renewal, address))
		return false;
	pv_address_row_ask_anew(row);
	row->verdict = (struct pv_verdict){.reason = PV_REASON_NONE};
	row->standing.verdict = row->verdict;
	return true;
}

bool pv_renewal_renew(
    const struct pv_renewal *renewal, struct pv_packed_address *address)
{
	bool is_judged = judge(renewal, address);
	return begin_round(renewal, address) || is_judged;
}

void pv_renewal_renew_host(const struct pv_renewal *renewal, uint64_t round,
    struct pv_host_state *state)
{
	if (round >= renewal->round)
		return;
	state->pages = 0;
	state->bytes = 0;
	state->retry_debt = 0;
}
