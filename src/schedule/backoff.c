#include "schedule/backoff.h"

static int64_t longer(int64_t rest_ms, const struct pv_backoff_plan *plan)
{
	double grown = (double)rest_ms * plan->factor;
	return grown < (double)plan->max_ms ? (int64_t)grown : plan->max_ms;
}

void pv_backoff_fail(struct pv_backoff *backoff,
    const struct pv_backoff_plan *plan, int64_t began_at, int64_t now)
{
	bool is_forgiven = now - backoff->until >= plan->forgive_ms;
	bool is_further =
	    began_at >= backoff->failed_at && !backoff->is_answering;
	if (!backoff->rest_ms || is_forgiven)
		backoff->rest_ms = 0;
	else if (is_further)
		backoff->rest_ms = longer(backoff->rest_ms, plan);
	if (backoff->rest_ms < plan->first_ms)
		backoff->rest_ms = plan->first_ms;
	backoff->failed_at = now;
	backoff->is_answering = false;
	if (backoff->until < now + backoff->rest_ms)
		backoff->until = now + backoff->rest_ms;
}

void pv_backoff_succeed(struct pv_backoff *backoff, int64_t began_at)
{
	if (began_at >= backoff->failed_at)
		backoff->is_answering = true;
}
