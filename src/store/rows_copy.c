#include "store/rows_copy.h"

#include "store/statement.h"

static struct pv_statement *select_rows(const struct pv_rows_copy *copy,
    const struct pv_rows_table *table, struct pv_database *look)
{
	struct pv_buf sql;
	pv_buf_init(&sql, SIZE_MAX);
	pv_buf_append_text(&sql, "SELECT _page");
	for (size_t i = 0; i < table->count; i++) {
		pv_buf_append_text(&sql, ", ");
		pv_rows_schema_quote(table->columns[i].name, &sql);
	}
	pv_buf_append_text(&sql, " FROM ");
	pv_rows_schema_name(table, &sql);
	pv_buf_append_text(&sql,
	    " WHERE _from <= ?1 AND (_until IS NULL OR _until > ?1) "
	    "ORDER BY _id");
	struct pv_statement *rows =
	    pv_statement_create(look, pv_buf_text(&sql));
	pv_statement_bind(rows, 1, copy->number);
	pv_buf_finish(&sql);
	return rows;
}

static void copy_table(
    struct pv_rows_copy *copy, size_t number, struct pv_database *look)
{
	const struct pv_rows_table *table = &copy->tables[number];
	struct pv_statement *rows = select_rows(copy, table, look);
	uint64_t page;
	while (pv_statement_step(rows)) {
		if (!copy->page(copy->ctx, pv_statement_number(rows, 0), &page))
			continue;
		pv_rows_database_begin_row(copy->rows, number, page);
		for (size_t i = 0; i < table->count; i++)
			pv_rows_database_bind_column(
			    copy->rows, rows, (int)i + 1);
		pv_rows_database_add_row(copy->rows);
		copy->copied += !table->part;
	}
	pv_statement_destroy(rows);
}

bool pv_rows_copy_run(
    struct pv_rows_copy *copy, const char *path, struct pv_why *why)
{
	struct pv_database *look = pv_database_look(path);
	for (size_t i = 0; i < copy->count; i++)
		copy_table(copy, i, look);
	bool is_read = pv_database_status(look) == PV_STORE_OK;
	if (!is_read)
		pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
		    "cannot be read: %s", pv_database_fault(look));
	pv_database_close(look);
	return is_read;
}
