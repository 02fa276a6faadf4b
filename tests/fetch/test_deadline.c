#include "fetch/deadline.h"

#include "policy/policy.h"
#include "record/response.h"
#include "tap.h"

#define SECOND INT64_C(1000)

static struct pv_fetch_policy policy_of(int64_t total_ms)
{
	struct pv_fetch_policy policy = {0};
	policy.timeout.connect_ms = 20 * SECOND;
	policy.timeout.first_byte_ms = 60 * SECOND;
	policy.timeout.stall_ms = 30 * SECOND;
	policy.timeout.total_ms = total_ms;
	return policy;
}

/* What has happened, when it is over, and what is said then. */
static const struct {
	const char *claim;
	int64_t sent;
	int64_t heard;
	enum pv_stage stage;
	int64_t total;
	int64_t due;
	const char *why;
} cases[] = {
    {"connecting has its time", -1, -1, PV_STAGE_CONNECT, PV_NONE,
	1000 + 20 * SECOND, "no connection was made within 20s"},
    {"TLS is a part of it", -1, -1, PV_STAGE_TLS, PV_NONE, 1000 + 20 * SECOND,
	"the TLS handshake had not ended after 20s"},
    {"the first byte has its own, from when it was sent", 5000, -1,
	PV_STAGE_WAIT, PV_NONE, 5000 + 60 * SECOND,
	"no byte of the answer came within 1m"},
    {"each byte gives it a new one", 5000, 90000, PV_STAGE_BODY, PV_NONE,
	90000 + 30 * SECOND, "no further byte of the answer came within 30s"},
    {"the whole has one that nothing moves", 5000, 90000, PV_STAGE_BODY,
	100 * SECOND, 1000 + 100 * SECOND,
	"the answer had not ended after 100s"},
    {"which may come before that for connecting", -1, -1, PV_STAGE_CONNECT,
	5 * SECOND, 1000 + 5 * SECOND, "the answer had not ended after 5s"},
    {"and is of no use where it comes later", -1, -1, PV_STAGE_CONNECT,
	100 * SECOND, 1000 + 20 * SECOND, "no connection was made within 20s"},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_fetch_policy policy = policy_of(cases[i].total);
		struct pv_deadline deadline = pv_deadline_of(&policy, 1000);
		struct pv_response response = {.stage = cases[i].stage};
		deadline.sent = cases[i].sent;
		deadline.heard = cases[i].heard;
		int64_t due = pv_deadline_due(&deadline);
		ok(due == cases[i].due, "%s", cases[i].claim);
		pv_deadline_tell(&deadline, due, &response);
		ok(response.outcome == PV_OUTCOME_TIMEOUT &&
			response.stage == cases[i].stage,
		    "it is a timeout of that stage");
		is_text(pv_str_of(response.why), cases[i].why,
		    "and says for lack of what (P4)");
	}
}

/* Held from 95 s to 995 s. */
static void test_hold(void)
{
	struct pv_fetch_policy policy = policy_of(100 * SECOND);
	struct pv_deadline deadline = pv_deadline_of(&policy, 1000);
	deadline.sent = 5000;
	deadline.heard = 90000;
	pv_deadline_hold(&deadline, 95 * SECOND);
	pv_deadline_hold(&deadline, 96 * SECOND);
	ok(pv_deadline_due(&deadline) == PV_DEADLINE_NEVER,
	    "nothing comes due while an answer is held back");
	ok(pv_deadline_took_ms(&deadline, 200 * SECOND) == 94 * SECOND &&
		pv_deadline_held_ms(&deadline, 200 * SECOND) == 105 * SECOND,
	    "and what it takes is told without that time");
	pv_deadline_let_go(&deadline, 995 * SECOND);
	pv_deadline_let_go(&deadline, 996 * SECOND);
	ok(pv_deadline_due(&deadline) == 1001 * SECOND,
	    "then each deadline has as long to go as before");
	deadline.policy = &(struct pv_fetch_policy){
	    .timeout = {.stall_ms = 30 * SECOND, .total_ms = PV_NONE}};
	ok(pv_deadline_due(&deadline) == 1020 * SECOND,
	    "that for the next byte, too");
	pv_deadline_hold(&deadline, 1000 * SECOND);
	pv_deadline_let_go(&deadline, 1010 * SECOND);
	ok(pv_deadline_took_ms(&deadline, 1010 * SECOND) == 99 * SECOND &&
		pv_deadline_held_ms(&deadline, 1010 * SECOND) == 910 * SECOND,
	    "all times that it is held add up");
}

/* Before the first byte, headers have held nothing back yet. */
static void test_hold_early(void)
{
	struct pv_fetch_policy policy = policy_of(PV_NONE);
	struct pv_deadline deadline = pv_deadline_of(&policy, 1000);
	pv_deadline_hold(&deadline, 2000);
	pv_deadline_let_go(&deadline, 3000);
	ok(deadline.sent < 0 && deadline.heard < 0 &&
		pv_deadline_due(&deadline) == 2000 + 20 * SECOND,
	    "what has not happened stays so");
}

/* An hour in the midst of a body, and one while it is held back. */
static void test_absence(void)
{
	struct pv_fetch_policy policy = policy_of(100 * SECOND);
	struct pv_deadline deadline = pv_deadline_of(&policy, 1000);
	deadline.sent = 5000;
	deadline.heard = 90000;
	int64_t due = pv_deadline_due(&deadline);
	pv_deadline_pass_over(&deadline, 3600 * SECOND);
	ok(pv_deadline_due(&deadline) == due + 3600 * SECOND,
	    "what comes due does so later by as long as we were away");
	ok(pv_deadline_took_ms(&deadline, 3695 * SECOND) == 94 * SECOND &&
		pv_deadline_held_ms(&deadline, 3695 * SECOND) == 3600 * SECOND,
	    "and the host has not taken that time");
	pv_deadline_hold(&deadline, 3695 * SECOND);
	pv_deadline_pass_over(&deadline, 3600 * SECOND);
	ok(pv_deadline_held_ms(&deadline, 7296 * SECOND) == 7201 * SECOND,
	    "nor is it counted twice");
}

int main(void)
{
	test_cases();
	test_absence();
	test_hold();
	test_hold_early();
	return tap_done();
}
