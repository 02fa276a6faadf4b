#include "reading/vouchers.h"

#include "store/scratch_store.h"
#include "tap.h"

#define A PV_STR("a.test")
#define B PV_STR("b.test")

static void test_adding(struct pv_database *database)
{
	struct pv_vouchers *vouchers = pv_vouchers_open(database);
	ok(!pv_vouchers_has_any(vouchers, 1), "nobody vouches for anything");
	pv_vouchers_add(vouchers, 1, PV_STR("s.example"), A);
	pv_vouchers_add(vouchers, 1, PV_STR("s.example"), A);
	ok(pv_vouchers_has(vouchers, 1, A) && pv_vouchers_has_any(vouchers, 1),
	    "a host vouches for a sitemap");
	ok(!pv_vouchers_has(vouchers, 1, B) && !pv_vouchers_has(vouchers, 2, A),
	    "and for no other, nor does another");
	pv_vouchers_add(vouchers, 1, PV_STR("s.example"), B);
	pv_vouchers_inherit(vouchers, 1, 2, PV_STR("s.example"));
	ok(pv_vouchers_has(vouchers, 2, A) && pv_vouchers_has(vouchers, 2, B),
	    "what it names has the same vouchers");
	pv_vouchers_inherit(vouchers, 3, 4, PV_STR("s.example"));
	ok(!pv_vouchers_has_any(vouchers, 4), "be there none");
	pv_vouchers_keep(vouchers, database);
	pv_vouchers_keep(vouchers, database);
	pv_vouchers_close(vouchers);
}

static void test_later(struct pv_database *database)
{
	struct pv_vouchers *vouchers = pv_vouchers_open(database);
	ok(pv_vouchers_has(vouchers, 2, B) && pv_vouchers_has(vouchers, 1, A),
	    "P3: a later run knows of them");
	pv_vouchers_close(vouchers);
}

static void test_ceiling(struct pv_database *database)
{
	struct pv_vouchers *vouchers = pv_vouchers_open(database);
	for (uint64_t i = 0; i < PV_VOUCHERS_MAX + 10; i++)
		pv_vouchers_add(vouchers, 100 + i, PV_STR("s.example"), A);
	ok(pv_vouchers_has_any(vouchers, 100) &&
		!pv_vouchers_has_any(vouchers, 100 + PV_VOUCHERS_MAX),
	    "P5: there are not more of them than that");
	pv_vouchers_close(vouchers);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	if (ok(store != NULL, "there is a state")) {
		test_adding(store->database);
		test_later(store->database);
		test_ceiling(store->database);
	}
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
