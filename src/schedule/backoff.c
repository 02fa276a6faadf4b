#include "schedule/backoff.h"

#include "base/least.h"

static int64_t longer(int64_t rest_ms, const struct pv_backoff_plan *plan)
{
	double grown = (double)rest_ms * plan->factor;
	return grown < (double)plan->max_ms ? (int64_t)grown : plan->max_ms;
}

/* Within `max`, but never under the rest itself. */
static int64_t drawn(
    int64_t rest_ms, const struct pv_backoff_plan *plan, uint32_t draw)
{
	double share = (double)draw / 4294967296.0;
	double most = (double)pv_larger(plan->max_ms, rest_ms);
	double longer = (double)rest_ms * (1 + plan->jitter * share);
	return (int64_t)(longer < most ? longer : most);
}

static void lengthen(
    struct pv_backoff *backoff, const struct pv_backoff_plan *plan)
{
	int64_t grown = backoff->row_ms ? longer(backoff->row_ms, plan) : 0;
	backoff->row_ms = pv_larger(grown, plan->first_ms);
	backoff->rest_ms = pv_larger(backoff->rest_ms, backoff->row_ms);
	backoff->failures++;
}

int64_t pv_backoff_forgiven_at(
    const struct pv_backoff *backoff, const struct pv_backoff_plan *plan)
{
	return backoff->until +
	       pv_larger(plan->forgive_ms, backoff->forgive_ms);
}

/* Nothing has failed for so long that all before is forgiven. */
static void forgive(
    struct pv_backoff *backoff, const struct pv_backoff_plan *plan, int64_t now)
{
	if (now >= pv_backoff_forgiven_at(backoff, plan))
		*backoff = (struct pv_backoff){.until = backoff->until};
}

static void blame(struct pv_backoff *backoff, enum pv_asked asked)
{
	if (!backoff->is_in_doubt || asked < backoff->earned_by)
		backoff->earned_by = asked;
	backoff->is_in_doubt = true;
}

bool pv_backoff_fail(struct pv_backoff *backoff,
    const struct pv_backoff_plan *plan, const struct pv_failure *failure)
{
	int64_t now = failure->failed_at;
	bool is_first_of_its_address = failure->is_probe || !failure->is_repeat;
	bool is_counted =
	    failure->is_probe || (is_first_of_its_address &&
				     failure->began_at >= backoff->failed_at);
	forgive(backoff, plan, now);
	backoff->forgive_ms = pv_larger(backoff->forgive_ms, plan->forgive_ms);
	blame(backoff, failure->asked);
	if (is_counted)
		lengthen(backoff, plan);
	int64_t rest_ms = plan->first_ms;
	if (is_first_of_its_address)
		rest_ms = pv_larger(rest_ms, backoff->rest_ms);
	backoff->failed_at = now;
	backoff->until = pv_larger(
	    backoff->until, now + drawn(rest_ms, plan, failure->draw));
	return is_counted;
}

void pv_backoff_succeed(struct pv_backoff *backoff,
    const struct pv_backoff_plan *plan, const struct pv_success *success)
{
	if (success->began_at < backoff->failed_at)
		return;
	forgive(backoff, plan, success->began_at);
	if (success->asked > backoff->earned_by)
		return;
	backoff->row_ms = 0;
	backoff->failures = 0;
	backoff->is_in_doubt = false;
	if (success->is_probe)
		backoff->rest_ms = 0;
}
