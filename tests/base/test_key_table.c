#include "base/key_table.h"

#include "tap.h"

/* Keys as hashes are, and nearly all in few places. */
static uint64_t key_at(size_t number, bool is_crowded)
{
	return is_crowded ? (uint64_t)number << 32
			  : number * UINT64_C(0x9e3779b97f4a7c15);
}

static void test_set(bool is_crowded, const char *which)
{
	struct pv_key_table table;
	size_t found = 0, others = 0;
	pv_key_table_init(&table, SIZE_MAX, false);
	for (size_t i = 0; i < 2000; i++)
		pv_key_table_add(&table, key_at(i, is_crowded));
	for (size_t i = 0; i < 2000; i++) {
		found += pv_key_table_has(&table, key_at(i, is_crowded));
		others +=
		    pv_key_table_has(&table, key_at(i + 2000, is_crowded));
	}
	ok(found == 2000 && others == 0 && table.count == 2000,
	    "keys that were added are there, and no others (%s)", which);
	pv_key_table_add(&table, key_at(7, is_crowded));
	ok(table.count == 2000, "once each");
	ok(!table.numbers, "a set keeps no numbers");
	pv_key_table_finish(&table);
}

static void test_counts(void)
{
	struct pv_key_table table;
	size_t right = 0;
	pv_key_table_init(&table, SIZE_MAX, true);
	ok(pv_key_table_get(&table, 5) == 0, "an empty table counts nothing");
	for (size_t i = 0; i < 300; i++) {
		for (size_t times = 0; times <= i % 7; times++)
			pv_key_table_count(&table, key_at(i, false));
	}
	for (size_t i = 0; i < 300; i++)
		right +=
		    pv_key_table_get(&table, key_at(i, false)) == i % 7 + 1;
	ok(right == 300, "each key has its count, also after it has grown");
	ok(pv_key_table_get(&table, 12345) == 0, "others have none");
	pv_key_table_finish(&table);
}

static void test_ceiling(void)
{
	struct pv_key_table table;
	pv_key_table_init(&table, 3, true);
	ok(pv_key_table_count(&table, 0) && pv_key_table_count(&table, 9) &&
		pv_key_table_count(&table, 10) &&
		!pv_key_table_has_room(&table),
	    "the key 0 is as good as any");
	ok(!pv_key_table_count(&table, 11) && !pv_key_table_has(&table, 11),
	    "P5: beyond the ceiling none is taken");
	ok(pv_key_table_count(&table, 9) && pv_key_table_get(&table, 9) == 2,
	    "those that are there count on");
	pv_key_table_finish(&table);
}

int main(void)
{
	test_set(false, "spread");
	test_set(true, "crowded");
	test_counts();
	test_ceiling();
	return tap_done();
}
