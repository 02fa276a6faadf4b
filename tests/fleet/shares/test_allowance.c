#include "fleet/shares/allowance.h"

#include "policy/values/value.h"
#include "tap.h"

static struct pv_fleet_quota quota_of(int64_t limit, int64_t count,
    int64_t granted, int64_t brought, int64_t brought_by_all)
{
	struct pv_fleet_quota quota;
	pv_fleet_quota_init(&quota, limit);
	pv_fleet_quota_hear(&quota, count,
	    &(struct pv_fleet_grant){granted, brought, brought_by_all});
	return quota;
}

static void test_none(void)
{
	struct pv_fleet_quota quota = quota_of(PV_NONE, 5, 0, 0, 7);
	ok(pv_fleet_quota_left(&quota, 1000000) == INT64_MAX &&
		!pv_fleet_quota_is_low(&quota, 1000000) && !quota.is_reached,
	    "without a limit all may be brought, and nothing is asked");
}

static void test_unknown(void)
{
	struct pv_fleet_quota quota;
	pv_fleet_quota_init(&quota, 300);
	ok(pv_fleet_quota_left(&quota, 0) == 0 &&
		pv_fleet_quota_is_low(&quota, 0) && !quota.is_reached,
	    "before the first answer nothing may be brought");
}

/* A directory that has 500 pages of earlier runs and other workers. */
static void test_own_count(void)
{
	struct pv_fleet_quota quota = quota_of(300, 500, 40, 20, 90);
	ok(pv_fleet_quota_left(&quota, 500) == 20,
	    "a worker has what it was granted and has not brought yet");
	ok(pv_fleet_quota_left(&quota, 515) == 5 &&
		pv_fleet_quota_left(&quota, 520) == 0,
	    "whatever number it counts from");
	ok(!pv_fleet_quota_is_low(&quota, 505) &&
		pv_fleet_quota_is_low(&quota, 510),
	    "it asks for more when half of its slice is used");
	pv_fleet_quota_hear(&quota, 510, &(struct pv_fleet_grant){45, 28, 100});
	ok(pv_fleet_quota_left(&quota, 510) == 15,
	    "the database may not have all that it has brought");
}

static void test_reached(void)
{
	struct pv_fleet_quota quota = quota_of(300, 0, 10, 0, 299);
	ok(!quota.is_reached, "a limit is not reached before all was brought");
	pv_fleet_quota_hear(&quota, 5, &(struct pv_fleet_grant){10, 5, 300});
	ok(quota.is_reached, "when it was, it is");
}

static void test_keep(void)
{
	struct pv_fleet_quota quota = quota_of(300, 500, 40, 20, 90);
	ok(pv_fleet_quota_keep(&quota, 504) == 24,
	    "what was not used goes back");
	ok(pv_fleet_quota_left(&quota, 504) == 0,
	    "and may not be used any more");
	ok(pv_fleet_quota_keep(&quota, 510) == 24,
	    "who has gone beyond it keeps no more than it had");
}

int main(void)
{
	test_none();
	test_unknown();
	test_own_count();
	test_reached();
	test_keep();
	return tap_done();
}
