#include "fleet/shares/usage.h"

#include "fleet/shares/share.h"
#include "tap.h"

/* What is said of a worker that may make ten requests a second. */

#define LEAST_MS 5000

static const struct pv_fleet_part ten = {.max_rate = 10, .interval_ms = 1000};

static struct pv_share_usage used(int64_t requests, int64_t ms)
{
	struct pv_share_usage usage = {0};
	pv_share_usage_note(&usage, &ten, 1000, 20000, LEAST_MS);
	pv_share_usage_note(
	    &usage, &ten, 1000 + requests, 20000 + ms, LEAST_MS);
	return usage;
}

int main(void)
{
	struct pv_share_usage usage = used(100, 10000);
	ok(usage.is_full && !usage.has_room, "all of its share is used");
	ok(used(99, 10000).is_full, "one request lies at the edge");
	ok(!used(90, 10000).is_full && !used(90, 10000).has_room,
	    "where nearly all is used nothing is to be done");
	ok(used(60, 10000).has_room && !used(60, 10000).is_full,
	    "much of it is not");
	ok(!used(0, 4000).has_room && !used(99, 4000).is_full,
	    "it is looked at for some time");
	usage = used(100, 10000);
	const struct pv_fleet_part five = {.max_rate = 5, .interval_ms = 1000};
	pv_share_usage_note(&usage, &five, 1200, 40000, LEAST_MS);
	ok(!usage.is_full && !usage.has_room,
	    "of another share nothing is known yet");
	const struct pv_fleet_part slow = {.max_rate = 5, .interval_ms = 60000};
	pv_share_usage_note(&usage, &slow, 1201, 60000, LEAST_MS);
	ok(!usage.has_room, "nor of less than two intervals");
	const struct pv_fleet_part none = {.interval_ms = 1000};
	pv_share_usage_note(&usage, &none, 1201, 70000, LEAST_MS);
	pv_share_usage_note(&usage, &none, 1201, 80000, LEAST_MS);
	ok(!usage.is_full && !usage.has_room, "who has no share has neither");
	return tap_done();
}
