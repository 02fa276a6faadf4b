#include "traps/same_body.h"

#include "random.h"
#include "tap.h"

#define MOST 5

/* Another key of the same slot. */
static uint64_t beside(uint64_t key)
{
	return key + PV_SAME_BODY_SLOTS;
}

static uint32_t add(struct pv_same_body *table, uint64_t key, uint64_t body)
{
	pv_same_body_add(table, key, body, 0);
	return pv_same_body_get(table, key);
}

static void test_rows(void)
{
	struct pv_same_body table;
	pv_same_body_init(&table, MOST);
	ok(pv_same_body_get(&table, 7) == 0, "nothing is known at first");
	ok(add(&table, 7, 1) == 1 && add(&table, 7, 1) == 2,
	    "the same body in a row is counted");
	ok(add(&table, 7, 2) == 1, "another body begins anew");
	for (unsigned i = 0; i < 9; i++)
		pv_same_body_add(&table, 7, 2, 0);
	ok(pv_same_body_get(&table, 7) == MOST && table.at_most == 1,
	    "up to so many");
	pv_same_body_add(&table, 7, 3, 0);
	ok(table.at_most == 0, "and how many have come so far is known");
	pv_same_body_finish(&table);
}

static void test_strangers(void)
{
	struct pv_same_body table;
	struct random random = random_of(1);
	pv_same_body_init(&table, MOST);
	pv_same_body_add(&table, 7, 1, 0);
	pv_same_body_add(&table, 7, 1, 0);
	ok(add(&table, beside(7), 9) == 0 && pv_same_body_get(&table, 7) == 1,
	    "one that finds another's slot takes one from its count");
	pv_same_body_add(&table, beside(7), 9, 0);
	ok(pv_same_body_get(&table, beside(7)) == 1 &&
		pv_same_body_get(&table, 7) == 0,
	    "and has the slot where that was the last");
	for (uint64_t i = 0; i < 400000; i++) {
		pv_same_body_add(&table, random_next(&random), i, 0);
		if (i % 10000 == 0)
			pv_same_body_add(&table, 12345, 1, 0);
	}
	ok(pv_same_body_get(&table, 12345) == MOST,
	    "P5: what comes again and again stays among all that come once");
	pv_same_body_finish(&table);
}

static size_t count_changed(struct pv_same_body *table,
    struct pv_same_body_slot *slot, uint32_t *number)
{
	size_t count = 0;
	while (pv_same_body_take_changed(table, slot, number))
		count++;
	return count;
}

/* What goes with a host to who counts on for it. */
static void test_owners(void)
{
	static const uint64_t gone[] = {3, 5};
	struct pv_same_body table;
	struct pv_same_body_slot slot;
	uint32_t number = 0;
	pv_same_body_init(&table, MOST);
	for (uint64_t i = 0; i < 2 * MOST; i++) {
		pv_same_body_add(&table, 7, 1, 5);
		pv_same_body_add(&table, 8, 1, 4);
	}
	count_changed(&table, &slot, &number);
	pv_same_body_forget(&table, gone, 2);
	ok(pv_same_body_get(&table, 7) == 0 && table.at_most == 1,
	    "what is counted of an owner is forgotten");
	ok(pv_same_body_get(&table, 8) == MOST, "and of no other");
	ok(count_changed(&table, &slot, &number) == 1 && slot.count == 0,
	    "which is a change");
	pv_same_body_put(&table, 7, 2, 5, 3);
	ok(pv_same_body_get(&table, 7) == 3,
	    "what others have counted is put in");
	pv_same_body_put(&table, 7, 2, 5, 2);
	ok(pv_same_body_get(&table, 7) == 2, "in the place of what was there");
	pv_same_body_put(&table, beside(8), 2, 5, 3);
	ok(pv_same_body_get(&table, 8) == MOST,
	    "but not of another key that has counted more");
	pv_same_body_put(&table, beside(7), 2, 6, 3);
	ok(pv_same_body_get(&table, beside(7)) == 3, "only of one with less");
	pv_same_body_put(&table, 10, 2, 6, -3);
	pv_same_body_put(&table, 11, 2, 6, INT64_MAX);
	ok(pv_same_body_get(&table, 10) == 0 &&
		pv_same_body_get(&table, 11) == MOST,
	    "what makes no sense is left out, or bounded, here too");
	pv_same_body_finish(&table);
}

static void test_changes(void)
{
	struct pv_same_body table, other;
	struct pv_same_body_slot slot;
	uint32_t number = 0;
	pv_same_body_init(&table, MOST);
	pv_same_body_init(&other, MOST);
	for (uint64_t i = 0; i < 100; i++)
		pv_same_body_add(&table, i, 1, 0);
	ok(count_changed(&table, &slot, &number) == 0,
	    "what comes once is not worth keeping");
	pv_same_body_add(&table, 7, 1, 0);
	pv_same_body_add(&table, 7, 1, 0);
	ok(count_changed(&table, &slot, &number) == 1 && number == 7 &&
		slot.key == 7 && slot.body == 1 && slot.count == 3,
	    "what comes again is, as it is now");
	pv_same_body_restore(&other, slot.key, slot.body, 0, slot.count);
	ok(add(&other, 7, 1) == 4, "and goes on from there");
	pv_same_body_add(&table, 7, 2, 0);
	ok(count_changed(&table, &slot, &number) == 1 && slot.count == 1,
	    "that its row has ended is worth it as well");
	pv_same_body_add(&table, 7, 3, 0);
	ok(count_changed(&table, &slot, &number) == 0, "once");
	pv_same_body_restore(&other, 8, 1, 0, -1);
	pv_same_body_restore(&other, 9, 1, 0, INT64_MAX);
	ok(pv_same_body_get(&other, 8) == 0 &&
		pv_same_body_get(&other, 9) == MOST,
	    "what makes no sense is left out, or bounded");
	pv_same_body_finish(&other);
	pv_same_body_finish(&table);
}

int main(void)
{
	test_rows();
	test_strangers();
	test_changes();
	test_owners();
	return tap_done();
}
