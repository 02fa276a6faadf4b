#include "frontier/sqlite/renewal.h"

#include "tap.h"

/* What becomes of a row of an earlier policy, or of an earlier round. */

enum { BEGAN = 1000, BEFORE = 900 };

/* A policy that judges: what waits is refused, what was refused waits. */
struct judge {
	struct pv_rejudging rejudging;
	bool is_open[PV_REASON_COUNT];
	uint64_t since;
	unsigned asked;
	uint32_t via_hops;
};

static bool turn_over(
    void *ctx, const struct pv_known *known, struct pv_standing *standing)
{
	struct judge *judge = ctx;
	bool was_refused = known->state == PV_STATE_REFUSED;
	judge->asked++;
	judge->via_hops = known->via_hops;
	standing->use = was_refused ? PV_PAGE : PV_REFUSED;
	standing->found_as |= PV_FOUND_AS_PAGE;
	standing->verdict.reason =
	    was_refused ? PV_REASON_NONE : PV_REASON_HOST;
	return true;
}

static struct pv_rejudging *since(void *ctx, uint64_t policy)
{
	struct judge *judge = ctx;
	judge->since = policy;
	return policy == 2 ? NULL : &judge->rejudging;
}

static struct judge make_judge(void)
{
	return (struct judge){
	    .rejudging = {.judge = turn_over, .is_of_all = true}};
}

static struct pv_renewal make_renewal(struct judge *judge)
{
	judge->rejudging.ctx = judge;
	judge->rejudging.is_open = judge->is_open;
	return (struct pv_renewal){
	    .policy = 3, .round = 1, .since = since, .ctx = judge};
}

static struct pv_packed_address make_address(enum pv_address_state state)
{
	struct pv_packed_address address = {.url = PV_STR("http://x.example/"),
	    .row.state = state,
	    .policy = 1,
	    .round = 1,
	    .via_hops = 4};
	address.row.standing.use =
	    state == PV_STATE_REFUSED ? PV_REFUSED : PV_PAGE;
	if (state == PV_STATE_REFUSED)
		address.row.verdict.reason = PV_REASON_HOST;
	if (state == PV_STATE_DONE)
		address.row.result.outcome = PV_OUTCOME_ANSWERED;
	return address;
}

static void test_policies(void)
{
	struct judge judge = make_judge();
	struct pv_renewal renewal = make_renewal(&judge);
	struct pv_packed_address address = make_address(PV_STATE_PENDING);
	ok(pv_renewal_renew(&renewal, &address) &&
		address.row.state == PV_STATE_REFUSED &&
		address.row.verdict.reason == PV_REASON_HOST,
	    "what waits may be refused by today's policy");
	ok(judge.since == 1 && judge.via_hops == 4,
	    "it is compared with the one that it was judged by");
	address = make_address(PV_STATE_REFUSED);
	ok(pv_renewal_renew(&renewal, &address) &&
		address.row.state == PV_STATE_PENDING,
	    "what was refused may wait");
	address = make_address(PV_STATE_DONE);
	ok(pv_renewal_renew(&renewal, &address) &&
		address.row.state == PV_STATE_DONE && address.row.is_left_out,
	    "what was answered may be left out");
	judge.asked = 0;
	address.policy = 2;
	ok(!pv_renewal_renew(&renewal, &address) && !judge.asked,
	    "where nothing has changed that decides it stays");
	address.policy = 3;
	judge.since = 0;
	ok(!pv_renewal_renew(&renewal, &address) && !judge.since,
	    "and so does what was judged by today's");
}

static struct pv_renewal second_round(void)
{
	return (struct pv_renewal){.policy = 1,
	    .round = 2,
	    .began_wall_ms = BEGAN,
	    .before_wall_ms = BEFORE,
	    .takes_failed = true};
}

static const struct {
	const char *claim;
	enum pv_address_state state;
	enum pv_reason reason;
	uint64_t round;
	uint64_t copy_round; /* 0: no copy */
	int64_t checked;
	bool is_left_out;
	bool is_due;
} rows[] = {
    {"a copy that was heard of long ago is due", PV_STATE_DONE, PV_REASON_NONE,
	1, 1, BEFORE, false, true},
    {"one that was heard of since is not", PV_STATE_DONE, PV_REASON_NONE, 1, 1,
	BEFORE + 1, false, false},
    {"unless by a clock that was set back", PV_STATE_DONE, PV_REASON_NONE, 1, 1,
	BEGAN + 1, false, true},
    {"nor one of this round", PV_STATE_DONE, PV_REASON_NONE, 1, 2, BEFORE,
	false, false},
    {"nor a row that was written in it", PV_STATE_DONE, PV_REASON_NONE, 2, 1,
	BEFORE, false, false},
    {"nor what is left out", PV_STATE_DONE, PV_REASON_NONE, 1, 1, BEFORE, true,
	false},
    {"what has failed is due", PV_STATE_DONE, PV_REASON_NONE, 1, 0, 0, false,
	true},
    {"but not again in the same round", PV_STATE_DONE, PV_REASON_NONE, 2, 0, 0,
	false, false},
    {"so is what had no robots.txt", PV_STATE_REFUSED,
	PV_REASON_ROBOTS_UNREACHABLE, 1, 0, 0, false, true},
    {"what is refused stays refused", PV_STATE_REFUSED, PV_REASON_HOST, 1, 0, 0,
	false, false},
    {"and what waits, waits", PV_STATE_PENDING, PV_REASON_NONE, 1, 0, 0, false,
	false},
};

static void test_rounds(void)
{
	struct pv_renewal renewal = second_round();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pv_packed_address address = make_address(rows[i].state);
		address.row.verdict.reason = rows[i].reason;
		address.row.is_left_out = rows[i].is_left_out;
		address.row.attempt = 5;
		address.round = rows[i].round;
		address.has_copy = rows[i].copy_round != 0;
		address.copy.round = rows[i].copy_round;
		address.copy.checked_wall_ms = rows[i].checked;
		bool is_renewed = pv_renewal_renew(&renewal, &address);
		ok(is_renewed == rows[i].is_due &&
			(!is_renewed ||
			    (address.row.state == PV_STATE_PENDING &&
				!address.row.attempt &&
				!address.row.verdict.reason)),
		    "%s", rows[i].claim);
	}
	renewal.takes_failed = false;
	struct pv_packed_address address = make_address(PV_STATE_DONE);
	ok(!pv_renewal_renew(&renewal, &address),
	    "what failed a moment ago is not due");
}

static void test_hosts(void)
{
	struct pv_renewal renewal = second_round();
	struct pv_host_state state = {
	    .pages = 5, .bytes = 6, .retry_debt = 7, .failures = 8};
	pv_renewal_renew_host(&renewal, 2, &state);
	ok(state.pages == 5 && state.bytes == 6 && state.retry_debt == 7,
	    "what a host has had in this round counts");
	pv_renewal_renew_host(&renewal, 1, &state);
	ok(!state.pages && !state.bytes && !state.retry_debt,
	    "what it has had before does not");
	ok(state.failures == 8, "its failures do");
}

int main(void)
{
	test_policies();
	test_rounds();
	test_hosts();
	return tap_done();
}
