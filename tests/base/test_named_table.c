#include "base/named_table.h"

#include <stdio.h>

#include "tap.h"

#define MANY 1000

static void test_table(void)
{
	static struct pv_named things[MANY];
	static char names[MANY][12];
	struct pv_named_table table;
	unsigned wrong = 0;
	pv_named_table_init(&table, (struct pv_hash_key){{1, 2}});
	for (int i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "%d", i);
		things[i].name = pv_str_of(names[i]);
		pv_named_add(&table, &things[i]);
	}
	for (int i = 0; i < MANY; i += 3)
		pv_named_remove(&table, &things[i]);
	for (int i = 0; i < MANY; i++) {
		const struct pv_named *wanted = i % 3 ? &things[i] : NULL;
		wrong += pv_named_get(&table, things[i].name) != wanted;
	}
	ok(!wrong, "what was removed is gone, and all others are found");
	while (table.count)
		pv_named_remove(&table, table.items[0]);
	ok(!pv_named_get(&table, PV_STR("1")) && !table.map.count,
	    "a table can be emptied");
	pv_named_table_finish(&table);
}

int main(void)
{
	test_table();
	return tap_done();
}
