#include "fetch/deadline.h"

#include "fetch/ending.h"
#include "policy/policy.h"
#include "policy/values/units.h"

struct pv_deadline pv_deadline_of(
    const struct pv_fetch_policy *policy, int64_t now)
{
	return (struct pv_deadline){.policy = policy,
	    .started = now,
	    .sent = -1,
	    .heard = -1,
	    .held = -1};
}

void pv_deadline_hold(struct pv_deadline *deadline, int64_t now)
{
	if (deadline->held < 0)
		deadline->held = now;
}

/* As if all of it had happened so much later. */
void pv_deadline_pass_over(struct pv_deadline *deadline, int64_t away_ms)
{
	deadline->held_ms += away_ms;
	deadline->started += away_ms;
	if (deadline->sent >= 0)
		deadline->sent += away_ms;
	if (deadline->heard >= 0)
		deadline->heard += away_ms;
	if (deadline->held >= 0)
		deadline->held += away_ms;
}

void pv_deadline_let_go(struct pv_deadline *deadline, int64_t now)
{
	if (deadline->held < 0)
		return;
	int64_t more_ms = now - deadline->held;
	deadline->held = -1;
	pv_deadline_pass_over(deadline, more_ms);
}

int64_t pv_deadline_took_ms(const struct pv_deadline *deadline, int64_t now)
{
	int64_t until = deadline->held >= 0 ? deadline->held : now;
	return until - deadline->started;
}

int64_t pv_deadline_held_ms(const struct pv_deadline *deadline, int64_t now)
{
	int64_t more_ms = deadline->held >= 0 ? now - deadline->held : 0;
	return deadline->held_ms + more_ms;
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
	return total_ms == PV_NONE ? PV_DEADLINE_NEVER
				   : deadline->started + total_ms;
}

int64_t pv_deadline_due(const struct pv_deadline *deadline)
{
	if (deadline->held >= 0)
		return PV_DEADLINE_NEVER;
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
		tell(response, "no connection was made within",
		    policy->timeout.connect_ms);
}
