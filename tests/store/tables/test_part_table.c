#include "store/tables/part_table.h"

#include "store/scratch_store.h"
#include "tap.h"

static const struct pv_part kept = {
    .size = 2000000,
    .complete = 5000000,
    .gains = 4,
    .digest = {1, 0, 2},
    .validator = PV_STR("\"a\""),
    .headers = PV_STR("ETag: \"a\"\r\n"),
};

static void test_rows(struct pv_part_table *table)
{
	struct pv_part part = {.size = 9};
	ok(!table->has_any && !pv_part_table_get(table, 1, &part) &&
		part.size == 9,
	    "of most addresses there is no part");
	pv_part_table_set(table, 1, &kept);
	ok(table->has_any && pv_part_table_get(table, 1, &part) &&
		part.size == 2000000 && part.complete == 5000000 &&
		part.gains == 4 &&
		memcmp(part.digest, kept.digest, PV_DIGEST_SIZE) == 0,
	    "what was broken off has one");
	is_text(part.validator, "\"a\"", "with what its server calls it");
	is_text(part.headers, "ETag: \"a\"\r\n", "and what it told");
	ok(!pv_part_table_get(table, 2, &part), "others have none");
	ok(pv_part_table_has(table, 1) && !pv_part_table_has(table, 2),
	    "whether there is one is told without reading it");
	pv_part_table_remove(table, 1);
	ok(!pv_part_table_get(table, 1, &part), "what is done has none either");
}

/* What stands in a file may be of another version, or damaged. */
static void test_nonsense(
    struct pv_part_table *table, struct pv_database *database)
{
	struct pv_part part = kept;
	part.size = part.complete;
	pv_part_table_set(table, 3, &part);
	ok(!pv_part_table_get(table, 3, &part),
	    "a part is less than the whole");
	part = kept;
	part.validator = (struct pv_str){"", 0};
	pv_part_table_set(table, 3, &part);
	ok(!pv_part_table_get(table, 3, &part), "and has a validator");
	pv_part_table_set(table, 3, &kept);
	pv_database_run(
	    database, "UPDATE parts SET digest = x'00' WHERE address = 3");
	ok(!pv_part_table_get(table, 3, &part), "and a digest");
}

static void test_table(struct pv_database *database)
{
	struct pv_part_table table;
	pv_part_table_init(&table, database);
	test_rows(&table);
	test_nonsense(&table, database);
	pv_part_table_finish(&table);
	pv_part_table_init(&table, database);
	ok(table.has_any, "that there are any is known when it is opened");
	struct pv_part part = kept;
	pv_part_table_set(&table, 90, &part);
	struct pv_part_sums before = pv_part_table_sums(database);
	pv_part_table_remove(&table, 90);
	struct pv_part_sums after = pv_part_table_sums(database);
	ok(before.count == after.count + 1 &&
		before.bytes == after.bytes + kept.size,
	    "how many there are, and how large, is told");
	pv_part_table_clear(&table);
	ok(!table.has_any && pv_part_table_sums(database).count == 0,
	    "when a round begins, all are forgotten");
	pv_part_table_clear(&table);
	ok(!table.has_any && pv_part_table_sums(database).count == 0,
	    "when a round begins, all are forgotten");
	pv_part_table_finish(&table);
	ok(pv_database_status(database) == PV_STORE_OK,
	    "none of which is a fault");
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	test_table(store->database);
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
