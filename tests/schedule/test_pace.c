#include "schedule/pace.h"

#include "policy/values/manners.h"
#include "policy/values/value.h"
#include "schedule/hours.h"
#include "tap.h"

static const char *night[] = {"22:00-06:00"};

static const struct pv_manners plain = {
    .delay_ms = 1000,
    .delay_from = PV_DELAY_FROM_START,
    .delay_factor = 1,
    .max_delay_ms = 30000,
    .connections = 4,
    .max_rate = PV_NONE,
    .interval_ms = 1000,
    .ip_delay_ms = 250,
    .backoff = {5000, 60000, 2, 86400000, 1800000},
    .timezone = "UTC",
};

static void test_sharing(void)
{
	struct pv_paces paces;
	struct pv_manners other = plain;
	pv_paces_init(&paces, NULL);
	const struct pv_pace *first = pv_pace_of(&paces, &plain);
	other.timezone = "+01:00";
	ok(pv_pace_of(&paces, &other) == first,
	    "P5: hosts that are treated alike share a pace");
	other.delay_ms = 1001;
	ok(pv_pace_of(&paces, &other) != first, "others have their own");
	other = plain;
	other.allowed_hours.items = night;
	other.allowed_hours.count = 1;
	const struct pv_pace *by_night = pv_pace_of(&paces, &other);
	ok(by_night != first && by_night->hours && by_night->hours->count == 1,
	    "allowed hours are read once");
	ok(pv_pace_of(&paces, &other) == by_night && paces.count == 3,
	    "and then shared");
	ok(pv_pace_strictest(&paces, first, first) == first,
	    "the strictest of two that are the same is that one");
	pv_paces_finish(&paces);
}

static void test_strictest(void)
{
	struct pv_paces paces;
	struct pv_manners other = plain;
	pv_paces_init(&paces, NULL);
	other.delay_ms = 500;
	other.delay_from = PV_DELAY_FROM_END;
	other.delay_factor = 3;
	other.connections = 2;
	other.max_rate = 10;
	other.interval_ms = 60000;
	other.ip_delay_ms = 900;
	other.backoff.overload_ms = 90000;
	other.backoff.forgive_ms = plain.backoff.forgive_ms + 1;
	const struct pv_pace *a = pv_pace_of(&paces, &plain);
	const struct pv_pace *b = pv_pace_of(&paces, &other);
	const struct pv_pace *both = pv_pace_strictest(&paces, a, b);
	ok(both == pv_pace_strictest(&paces, b, a), "the order is no matter");
	ok(both->delay_ms == 1000 && both->is_from_end &&
		both->delay_factor > 2.9 && both->connections == 2 &&
		both->ip_delay_ms == 900 && both->overload.first_ms == 90000 &&
		both->failure.forgive_ms == other.backoff.forgive_ms,
	    "P1: of each key the stricter value counts");
	ok(both->max_rate == 10 && both->interval_ms == 60000,
	    "P1: a bucket of its own counts where the other has none");
	other.max_rate = 5;
	other.interval_ms = 1000;
	both = pv_pace_strictest(&paces, both, pv_pace_of(&paces, &other));
	ok(both->max_rate == 5 && both->interval_ms == 60000,
	    "P1: of two buckets neither is overdrawn");
	pv_paces_finish(&paces);
}

int main(void)
{
	test_sharing();
	test_strictest();
	return tap_done();
}
