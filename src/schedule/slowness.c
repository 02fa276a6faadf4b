#include "schedule/slowness.h"

void pv_slowness_double(
    struct pv_slowness *slowness, const struct pv_pace *pace)
{
	int64_t rest_ms = slowness->rest_ms;
	if (rest_ms < pace->delay_ms)
		rest_ms = pace->delay_ms;
	rest_ms *= 2;
	if (rest_ms > pace->max_delay_ms)
		rest_ms = pace->max_delay_ms;
	slowness->rest_ms = rest_ms > pace->delay_ms ? rest_ms : 0;
}

static int64_t halved(int64_t rest_ms, const struct pv_pace *pace)
{
	return rest_ms / 2 > pace->delay_ms ? rest_ms / 2 : 0;
}

void pv_slowness_forgive(
    struct pv_slowness *slowness, const struct pv_pace *pace, int64_t now)
{
	int64_t forgive_ms = pace->overload.forgive_ms;
	while (slowness->rest_ms && now - slowness->since >= forgive_ms) {
		slowness->rest_ms = halved(slowness->rest_ms, pace);
		slowness->since += forgive_ms;
	}
}

int64_t pv_slowness_ends(
    const struct pv_slowness *slowness, const struct pv_pace *pace)
{
	int64_t at = slowness->rest_ms ? slowness->since : 0;
	int64_t rest_ms = slowness->rest_ms;
	for (; rest_ms; rest_ms = halved(rest_ms, pace))
		at += pace->overload.forgive_ms;
	return at;
}

/* Each further overload in a row has made that rest longer by the factor. */
void pv_slowness_restore(struct pv_slowness *slowness,
    const struct pv_pace *pace, int64_t backoff_ms, int64_t now)
{
	const struct pv_backoff_plan *plan = &pace->overload;
	struct pv_slowness found = {.since = now};
	double rest_ms = (double)backoff_ms;
	for (; rest_ms >= (double)plan->first_ms; rest_ms /= plan->factor) {
		int64_t before_ms = found.rest_ms;
		pv_slowness_double(&found, pace);
		if (found.rest_ms == before_ms || plan->factor <= 1)
			break;
	}
	if (found.rest_ms > slowness->rest_ms)
		*slowness = found;
}
