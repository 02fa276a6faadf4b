#include "schedule/forgotten.h"

#include "tap.h"

static const struct pv_hash_key key = {{1, 2}};

static void test_times(void)
{
	struct pv_forgotten forgotten;
	pv_forgotten_init(&forgotten, key);
	ok(pv_forgotten_until(&forgotten, PV_STR("a.test")) == 0,
	    "of a name that was not forgotten nothing is known");
	pv_forgotten_note(&forgotten, PV_STR("a.test"), 2000);
	ok(pv_forgotten_until(&forgotten, PV_STR("a.test")) == 2000,
	    "one that was is told its time");
	ok(pv_forgotten_until(&forgotten, PV_STR("b.test")) == 0,
	    "and one of another drawer is not");
	pv_forgotten_note(&forgotten, PV_STR("a.test"), 1000);
	ok(pv_forgotten_until(&forgotten, PV_STR("a.test")) == 2000,
	    "P1: the latest time counts");
	pv_forgotten_finish(&forgotten);
}

int main(void)
{
	test_times();
	return tap_done();
}
