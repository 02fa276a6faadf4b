#include "base/lease.h"

#include "base/system.h"
#include "tap.h"

#define TTL_MS 30000

static void test_end(void)
{
	struct pv_lease lease;
	pv_lease_init(&lease);
	ok(!pv_lease_may_begin(&lease, 1) && pv_lease_is_over(&lease, 1),
	    "P1: a lease that nobody renewed is over");
	pv_lease_renew(&lease, 1000, TTL_MS);
	ok(pv_lease_may_begin(&lease, 1000), "one that was renewed holds");
	ok(pv_lease_may_begin(&lease, 25999) &&
		!pv_lease_may_begin(&lease, 26000),
	    "P1: nothing is begun in the 5 s before its end");
	ok(!pv_lease_is_over(&lease, 30999) && pv_lease_is_over(&lease, 31000),
	    "it is over so long after its renewal was sent");
}

static void test_late_answer(void)
{
	struct pv_lease lease;
	pv_lease_init(&lease);
	pv_lease_renew(&lease, 20000, TTL_MS);
	pv_lease_renew(&lease, 10000, TTL_MS);
	ok(pv_lease_until(&lease) == 50000,
	    "an older renewal that is answered later shortens nothing");
	pv_lease_drop(&lease);
	ok(pv_lease_is_over(&lease, 20001), "P1: one that is dropped is over");
	pv_lease_renew(&lease, 60000, TTL_MS);
	ok(pv_lease_may_begin(&lease, 60001), "until it is renewed");
}

static void test_endless(void)
{
	struct pv_lease lease;
	pv_lease_init_endless(&lease);
	int64_t year_ms = INT64_C(365) * 86400000;
	ok(pv_lease_may_begin(&lease, year_ms) &&
		!pv_lease_is_over(&lease, year_ms),
	    "a lease without an end holds after a year");
	pv_lease_renew(&lease, 1000, TTL_MS);
	ok(pv_lease_until(&lease) == PV_LEASE_ENDLESS,
	    "and a renewal takes nothing of it");
	ok(pv_lease_may_begin(NULL, year_ms) &&
		!pv_lease_is_over(NULL, year_ms),
	    "a crawl without a lease may begin at any time");
}

static void test_clock(void)
{
	int64_t before = pv_boot_now_ms();
	int64_t after = pv_boot_now_ms();
	ok(before > 0 && after >= before, "its clock does not go back");
}

int main(void)
{
	test_end();
	test_late_answer();
	test_endless();
	test_clock();
	return tap_done();
}
