#include "frontier/sqlite/copy_table.h"

#include "frontier/scene.h"

static void test_rows(struct pv_copy_table *table)
{
	struct pv_copy_row row = {.round = 99};
	const struct pv_copy_row kept = {
	    .copy =
		{
		    .entity_tag = PV_STR("\"a\""),
		    .modified_ms = 5,
		    .file = PV_STR("site/a"),
		    .type = PV_STR("text/html"),
		    .bytes = 4711,
		    .digest = {1, 0, 2},
		    .has_digest = true,
		    .is_gone = true,
		},
	    .round = 3,
	    .fetched_wall_ms = 6,
	    .checked_wall_ms = 7,
	    .listed_round = 8,
	    .has_failed = true,
	    .heard_status = 404,
	};
	ok(!pv_copy_table_get(table, 1, &row) && row.round == 99,
	    "of most addresses there is no copy");
	pv_copy_table_set(table, 1, &kept);
	ok(pv_copy_table_get(table, 1, &row), "of what was answered there is");
	is_text(row.copy.entity_tag, "\"a\"", "with what its server calls it");
	is_text(row.copy.file, "site/a", "and where it is");
	ok(pv_str_equal(row.copy.type, PV_STR("text/html")) &&
		row.copy.bytes == 4711,
	    "and what its body was like");
	ok(row.copy.modified_ms == 5 && row.copy.is_gone &&
		row.copy.has_digest && pv_copy_equal(&row.copy, &kept.copy),
	    "and its digest, which may hold any byte");
	ok(row.round == 3 && row.fetched_wall_ms == 6 &&
		row.checked_wall_ms == 7 && row.listed_round == 8 &&
		row.has_failed && row.heard_status == 404,
	    "and when all that was, and what was heard since");
	pv_copy_table_set_listed(table, 1, 9);
	pv_copy_table_set_listed(table, 2, 9);
	ok(pv_copy_table_get(table, 1, &row) && row.listed_round == 9 &&
		!row.lastmod_wall_ms && !pv_copy_table_get(table, 2, &row),
	    "a sitemap may tell of what there is");
	ok(!row.copy.must_be_read, "and of most it need not be read again");
	pv_copy_table_set_must_be_read(table, 1);
	ok(pv_copy_table_get(table, 1, &row) && row.copy.must_be_read,
	    "until it must be");
}

static void test_empty(struct pv_copy_table *table)
{
	struct pv_copy_row row = {.round = 1};
	pv_copy_table_set(table, 4, &row);
	row.copy.has_digest = true;
	ok(pv_copy_table_get(table, 4, &row) && !row.copy.has_digest &&
		!row.copy.entity_tag.len && !row.copy.file.len,
	    "a copy may be of nothing at all");
}

static int64_t count_left(struct pv_copy_table *table, const char *where)
{
	char sql[120];
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM left_files %s", where);
	return pv_database_number(table->database, sql);
}

static void test_left(struct pv_copy_table *table)
{
	const struct pv_copy_row row = {.copy.file = PV_STR("site/old")};
	pv_copy_table_leave_other(table, 5, PV_STR("site/first"));
	pv_copy_table_leave_other(table, 6, PV_STR(""));
	ok(count_left(table, "WHERE file = 'site/first'") == 1 &&
		count_left(table, "") == 1,
	    "what is read once more may get another file");
	pv_copy_table_leave_file(table, 5, PV_STR("site/first"));
	ok(count_left(table, "") == 0, "or the same one");
	pv_copy_table_set(table, 5, &row);
	pv_copy_table_leave_other(table, 5, PV_STR("site/old"));
	ok(count_left(table, "") == 0, "what there is a row of stays");
	pv_copy_table_leave_file(table, 5, PV_STR("site/new"));
	ok(count_left(table, "WHERE file = 'site/old'") == 1,
	    "until its address has got another file");
}

#define HOUR ((int64_t)3600000)
#define DAY (24 * HOUR)

/* Looked at on the tenth day. */
static const struct {
	const char *claim;
	int64_t lastmod;
	uint64_t round;
	struct pv_copy copy;
	bool is_as_listed;
} listed[] = {
    {"what was changed before is as it was", 9 * DAY + HOUR, 2,
	{.is_there = true}, true},
    {"what was changed later is not", 10 * DAY + HOUR, 2, {.is_there = true},
	false},
    {"nor is what clocks may differ about", 10 * DAY - 1, 2, {.is_there = true},
	false},
    {"a day is over when it is everywhere", 7 * DAY, 2, {.is_there = true},
	true},
    {"and not before", 8 * DAY, 2, {.is_there = true}, false},
    {"where nothing is said nothing is known", 0, 2, {.is_there = true}, false},
    {"what was said in another round does not count", 9 * DAY + HOUR, 1,
	{.is_there = true}, false},
    {"nor does it where the copy is lost", 9 * DAY + HOUR, 2,
	{.is_there = false}, false},
    {"or the page was gone", 9 * DAY + HOUR, 2,
	{.is_there = true, .is_gone = true}, false},
    {"or is to be read in any case", 9 * DAY + HOUR, 2,
	{.is_there = true, .must_be_read = true}, false},
};

static void test_listed(void)
{
	for (size_t i = 0; i < sizeof(listed) / sizeof(*listed); i++) {
		struct pv_copy_row row = {
		    .copy = listed[i].copy,
		    .listed_round = listed[i].round,
		    .lastmod_wall_ms = listed[i].lastmod,
		    .checked_wall_ms = 10 * DAY,
		};
		ok(pv_copy_row_is_as_listed(&row, 2) == listed[i].is_as_listed,
		    "%s", listed[i].claim);
	}
}

static void test_table(struct scene *scene)
{
	struct pv_copy_table table;
	pv_copy_table_init(&table, scene->store->database);
	test_rows(&table);
	test_empty(&table);
	test_left(&table);
	pv_copy_table_finish(&table);
	ok(pv_database_status(scene->store->database) == PV_STORE_OK,
	    "none of which is a fault");
}

int main(void)
{
	struct scene scene = {.recent_count = 100,
	    .count_ceiling = 100,
	    .before_start = test_table,
	    .descriptors = descriptors_count()};
	scratch_make(&scene.scratch);
	scene_open(&scene);
	scene_finish(&scene);
	test_listed();
	return tap_done();
}
