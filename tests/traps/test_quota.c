#include "traps/quota.h"

#include "policy/values/value.h"
#include "tap.h"

enum { ONE = 101, OTHER = 102 };

static void test_counting(void)
{
	struct pv_quota quota;
	pv_quota_init(&quota, 2);
	ok(pv_quota_is_on(&quota) && pv_quota_has_room(&quota, ONE),
	    "an owner of whom nothing is known has room");
	pv_quota_add(&quota, ONE, 1);
	pv_quota_add(&quota, ONE, 1);
	ok(pv_quota_has(&quota, 1) && !pv_quota_has(&quota, 2),
	    "what was added is known, and nothing else");
	ok(pv_quota_has_room(&quota, ONE), "what is there already counts once");
	pv_quota_add(&quota, ONE, 2);
	ok(!pv_quota_has_room(&quota, ONE), "the last one takes the room");
	ok(pv_quota_has_room(&quota, OTHER), "of its owner alone");
	pv_quota_add(&quota, ONE, 3);
	ok(pv_quota_has(&quota, 3) && !quota.is_full,
	    "what a person names is added where there is no room");
	ok(quota.added_count == 0, "what is added is not gathered unasked");
	pv_quota_finish(&quota);
}

static void test_gathering(void)
{
	struct pv_quota quota;
	pv_quota_init(&quota, 5);
	pv_quota_add(&quota, ONE, 1);
	quota.is_gathering = true;
	pv_quota_add(&quota, ONE, 1);
	pv_quota_add(&quota, OTHER, 2);
	ok(quota.added_count == 1 && quota.added[0].owner == OTHER &&
		quota.added[0].member == 2,
	    "what is new is gathered with its owner");
	pv_quota_finish(&quota);
}

static void test_off(void)
{
	struct pv_quota quota;
	pv_quota_init(&quota, PV_NONE);
	pv_quota_add(&quota, ONE, 1);
	ok(!pv_quota_is_on(&quota) && !pv_quota_has(&quota, 1),
	    "without a limit nothing is counted");
	pv_quota_finish(&quota);
}

static void test_ceiling(void)
{
	struct pv_quota quota;
	pv_quota_init(&quota, 3);
	for (uint64_t i = 1; i <= PV_QUOTA_CEILING; i++)
		pv_quota_add(&quota, i, i);
	ok(!quota.is_full, "so many are remembered");
	pv_quota_add(&quota, ONE, PV_QUOTA_CEILING + 1);
	ok(quota.is_full && !pv_quota_has(&quota, PV_QUOTA_CEILING + 1),
	    "P5: and no more");
	pv_quota_finish(&quota);
}

int main(void)
{
	test_counting();
	test_gathering();
	test_off();
	test_ceiling();
	return tap_done();
}
