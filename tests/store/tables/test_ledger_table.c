#include "store/tables/ledger_table.h"

#include "store/scratch_store.h"
#include "tap.h"

static void add(struct pv_ledger *ledger, int64_t gap_ms)
{
	struct pv_ledger_entry entry = {.wall_ms = 7,
	    .bytes = 3,
	    .http_status = 503,
	    .is_robots = true,
	    .pacing = PV_PACING_NONE};
	entry.pacing.run = 1;
	entry.pacing.sent_ms = 0;
	entry.pacing.gap_ms = gap_ms;
	entry.pacing.reaction_ms = gap_ms + 1;
	entry.pacing.at_once = 2;
	entry.pacing.rule = "overload";
	pv_ledger_add(ledger, &entry);
}

static void test_rows(struct pv_ledger_table *table)
{
	struct pv_ledger ledger, found;
	ok(!pv_ledger_table_get(table, 5, &found) && found.requests == 0 &&
		found.least_gap_ms == -1,
	    "a host of which nothing stands there has an empty ledger");
	pv_ledger_init(&ledger);
	add(&ledger, 60000);
	add(&ledger, 61000);
	pv_ledger_table_set(table, 5, &ledger);
	ok(pv_ledger_table_get(table, 5, &found), "what was written is there");
	ok(found.requests == 2 && found.bytes == 6 && found.too_many == 0 &&
		found.unavailable == 2 && found.most_at_once == 2 &&
		found.least_gap_ms == 60000 &&
		found.least_reaction_ms == 60001 && found.robots_count == 2 &&
		found.robots_wall_ms == 7,
	    "each figure comes back by its name");
	ok(pv_ledger_median_gap_ms(&found) ==
		    pv_ledger_median_gap_ms(&ledger) &&
		found.gaps.count == 2,
	    "and so do the gaps");
	ok(found.rule_count == 1 && found.rules[0].count == 2 &&
		strcmp(found.rules[0].word, "overload") == 0,
	    "and the rules");
	add(&found, 5);
	pv_ledger_table_set(table, 5, &found);
	pv_ledger_table_get(table, 5, &ledger);
	ok(ledger.requests == 3 && ledger.least_gap_ms == 5 &&
		ledger.gaps.count == 3,
	    "what is written again takes its place");
	ok(!pv_ledger_table_get(table, 6, &found),
	    "another host has another row");
}

int main(void)
{
	struct scratch scratch;
	struct pv_ledger_table table;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	if (ok(store != NULL, "there is a state")) {
		pv_ledger_table_init(&table, store->database);
		test_rows(&table);
		pv_ledger_table_finish(&table);
		ok(pv_database_status(store->database) == PV_STORE_OK,
		    "no fault is left");
	}
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
