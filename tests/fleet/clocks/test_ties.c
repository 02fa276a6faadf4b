#include "fleet/clocks/ties.h"

#include "tap.h"

#define MINUTE_MS 60000

static const struct pv_str a = PV_STR("a.example"), b = PV_STR("b.example");

static void test_time(void)
{
	struct pv_ties ties;
	pv_ties_init(&ties, (struct pv_hash_key){.word = {1, 2}});
	ok(!pv_ties_has(&ties, a, 1000000), "nothing is tied at first");
	pv_ties_add(&ties, a, 1000000);
	pv_ties_add(&ties, a, 1000001);
	ok(pv_ties_has(&ties, a, 1000000 + MINUTE_MS - 1),
	    "what was tied is so for a minute");
	ok(!pv_ties_has(&ties, b, 1000002), "nothing else is");
	ok(!pv_ties_has(&ties, a, 1000000 + 2 * MINUTE_MS),
	    "nor that two minutes later");
	pv_ties_finish(&ties);
}

static void test_turns(void)
{
	struct pv_ties ties;
	int64_t now = 1000000;
	pv_ties_init(&ties, (struct pv_hash_key){.word = {1, 2}});
	pv_ties_add(&ties, a, now + MINUTE_MS - 1);
	now += 2 * MINUTE_MS;
	pv_ties_add(&ties, b, now);
	ok(pv_ties_has(&ties, a, now) && pv_ties_has(&ties, b, now),
	    "one that was tied a minute ago is so beside a new one");
	pv_ties_add(&ties, b, now + MINUTE_MS);
	ok(!pv_ties_has(&ties, a, now + MINUTE_MS), "and is forgotten after");
	bool is_there = true;
	for (int i = 0; i < 100; i++) {
		char name[20];
		snprintf(name, sizeof(name), "%d.example", i);
		pv_ties_add(&ties, pv_str_of(name), now + MINUTE_MS);
		memset(name, 'x', sizeof(name) - 1);
	}
	for (int i = 0; i < 100; i++) {
		char name[20];
		snprintf(name, sizeof(name), "%d.example", i);
		is_there = is_there &&
			   pv_ties_has(&ties, pv_str_of(name), now + MINUTE_MS);
	}
	ok(is_there, "the names are its own");
	pv_ties_finish(&ties);
}

int main(void)
{
	test_time();
	test_turns();
	return tap_done();
}
