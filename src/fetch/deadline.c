#include "fetch/deadline.h"

#include "fetch/ending.h"
#include "policy/policy.h"
#include "policy/units.h"

struct pv_deadline pv_deadline_of(
    const struct pv_fetch_policy *policy, int64_t now)
{
	return (struct pv_deadline){
	    .policy = policy, .started = now, .sent = -1, .heard = -1};
}

/* Of the step that it has come to. */
static int64_t step_due(const struct pv_deadline *deadline)
{
	const struct pv_fetch_policy *policy = deadline->policy;
	if (deadline->heard >= 0)
		return deadline->heard + policy->timeout.stall_ms;
	if (deadline->sent >= 0)
		return deadline->sent + policy->timeout.first_byte_ms;
	return deadline->started + policy->timeout.connect_ms;
}

static int64_t total_due(const struct pv_deadline *deadline)
{
	int64_t total_ms = deadline->policy->timeout.total_ms;
	return total_ms == PV_NONE ? INT64_MAX : deadline->started + total_ms;
}

int64_t pv_deadline_due(const struct pv_deadline *deadline)
{
	int64_t step = step_due(deadline);
	int64_t total = total_due(deadline);
	return step < total ? step : total;
}

static void tell(
    struct pv_response *response, const char *what, int64_t time_ms)
{
	struct pv_buf time;
	pv_buf_init(&time, 32);
	pv_unit_write(PV_UNIT_TIME, time_ms, &time);
	pv_ending_set(
	    response, PV_OUTCOME_TIMEOUT, "%s %s", what, pv_buf_text(&time));
	pv_buf_finish(&time);
}

void pv_deadline_tell(const struct pv_deadline *deadline, int64_t now,
    struct pv_response *response)
{
	const struct pv_fetch_policy *policy = deadline->policy;
	if (total_due(deadline) <= now)
		tell(response, "the answer had not ended after",
		    policy->timeout.total_ms);
	else if (deadline->heard >= 0)
		tell(response, "no further byte of the answer came within",
		    policy->timeout.stall_ms);
	else if (deadline->sent >= 0)
		tell(response, "no byte of the answer came within",
		    policy->timeout.first_byte_ms);
	else if (response->stage == PV_STAGE_TLS)
		tell(response, "the TLS handshake had not ended after",
		    policy->timeout.connect_ms);
	else
		tell(response, "there was no connection after",
		    policy->timeout.connect_ms);
}
