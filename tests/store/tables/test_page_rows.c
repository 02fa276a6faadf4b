#include "store/tables/page_rows.h"

#include "store/scratch_store.h"
#include "store/tables/field_faults.h"
#include "tap.h"

static void note_count(
    void *ctx, struct pv_str kind, uint64_t pages, uint64_t rows)
{
	pv_buf_append_format(ctx, "%.*s %llu %llu;", PV_STR_ARG(kind),
	    (unsigned long long)pages, (unsigned long long)rows);
}

static void note_fault(void *ctx, const struct pv_field_fault_count *fault)
{
	pv_buf_append_format(ctx, "%.*s.%.*s %u %llu;", PV_STR_ARG(fault->kind),
	    PV_STR_ARG(fault->field), fault->fault,
	    (unsigned long long)fault->count);
}

static void test_pages(struct pv_database *database)
{
	struct pv_page_rows_table table;
	struct pv_page_rows had;
	struct pv_buf texts;
	const struct pv_page_rows rows = {
	    .kind = PV_STR("product"),
	    .count = 3,
	    .items = PV_STR("1-2 4"),
	    .digest = PV_STR("\0\1\2"),
	    .problems = -5,
	};
	pv_buf_init(&texts, 1000);
	pv_page_rows_table_init(&table, database);
	ok(!pv_page_rows_table_get(&table, 7, &texts, &had),
	    "a page has given no rows");
	pv_page_rows_table_set(&table, 7, &rows);
	ok(pv_page_rows_table_get(&table, 7, &texts, &had) && had.count == 3 &&
		had.problems == -5 && pv_str_equal(had.kind, rows.kind) &&
		pv_str_equal(had.items, rows.items) &&
		pv_str_equal(had.digest, rows.digest),
	    "or it has, and these are known");
	pv_page_rows_table_remove(&table, 7);
	ok(!pv_page_rows_table_get(&table, 7, &texts, &had),
	    "until they are gone");
	pv_page_rows_table_set_distant(&table, 7, &rows);
	ok(!pv_page_rows_table_get(&table, 7, &texts, &had) &&
		pv_page_rows_table_get_distant(&table, 7, &texts, &had) &&
		had.count == 3 && pv_str_equal(had.items, rows.items),
	    "what it has given to others is known by itself");
	pv_page_rows_table_remove_distant(&table, 7);
	ok(!pv_page_rows_table_get_distant(&table, 7, &texts, &had),
	    "until it is read here");
	pv_page_rows_table_count(&table, PV_STR("product"), 2, 30);
	pv_page_rows_table_count(&table, PV_STR("list"), 1, 1);
	pv_page_rows_table_count(&table, PV_STR("product"), -1, -10);
	pv_buf_clear(&texts);
	pv_page_rows_each_count(database, note_count, &texts);
	is_text(pv_buf_str(&texts), "list 1 1;product 1 20;",
	    "pages and rows are counted by kind");
	pv_page_rows_table_finish(&table);
	pv_buf_finish(&texts);
}

static void test_faults(struct pv_database *database)
{
	static const struct pv_field_fault_count faults[] = {
	    {{"product", 7}, {"price", 5}, 1, 2},
	    {{"list", 4}, {"", 0}, 4, 1},
	    {{"product", 7}, {"title", 5}, 0, 9},
	    {{"product", 7}, {"price", 5}, 1, 3},
	};
	struct pv_buf texts;
	pv_buf_init(&texts, 1000);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		pv_field_faults_add(database, &faults[i]);
	pv_field_faults_each(database, note_fault, &texts);
	is_text(pv_buf_str(&texts),
	    "list. 4 1;product.title 0 9;product.price 1 5;",
	    "faults are counted by kind, field and fault");
	pv_buf_finish(&texts);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	test_pages(store->database);
	test_faults(store->database);
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
