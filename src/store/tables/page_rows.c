#include "store/tables/page_rows.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "store/statement.h"

enum {
	GET,
	SET,
	REMOVE,
	COUNT,
	GET_DISTANT,
	SET_DISTANT,
	REMOVE_DISTANT,
};

#define GET_FROM(table)                                \
	"SELECT count, problems, kind, items, digest " \
	"FROM " table " WHERE address = ?1"
#define SET_IN(table)                                            \
	"INSERT OR REPLACE INTO " table "(address, count, "      \
	"problems, kind, items, digest) VALUES(?1, ?2, ?3, ?4, " \
	"?5, ?6)"
#define REMOVE_FROM(table) "DELETE FROM " table " WHERE address = ?1"

void pv_page_rows_table_init(
    struct pv_page_rows_table *table, struct pv_database *database)
{
	static const char *const sql[PV_PAGE_ROWS_STATEMENTS] = {
	    [GET] = GET_FROM("page_rows"),
	    [SET] = SET_IN("page_rows"),
	    [REMOVE] = REMOVE_FROM("page_rows"),
	    [COUNT] = "INSERT INTO row_counts(kind, pages, rows) "
		      "VALUES(?1, ?2, ?3) ON CONFLICT(kind) DO UPDATE SET "
		      "pages = pages + ?2, rows = rows + ?3",
	    [GET_DISTANT] = GET_FROM("distant_rows"),
	    [SET_DISTANT] = SET_IN("distant_rows"),
	    [REMOVE_DISTANT] = REMOVE_FROM("distant_rows"),
	};
	pv_statements_create(
	    table->statements, database, sql, PV_PAGE_ROWS_STATEMENTS);
}

void pv_page_rows_table_finish(struct pv_page_rows_table *table)
{
	pv_statements_destroy(table->statements, PV_PAGE_ROWS_STATEMENTS);
}

/* Places, since the buffer may move while it grows. */
static void copy_texts(
    struct pv_statement *get, struct pv_buf *texts, struct pv_page_rows *rows)
{
	struct pv_str *const fields[] = {
	    &rows->kind, &rows->items, &rows->digest};
	size_t ends[3];
	pv_buf_clear(texts);
	for (int i = 0; i < 3; i++) {
		pv_buf_append(texts, pv_statement_text(get, 2 + i));
		ends[i] = texts->len;
	}
	for (size_t i = 0; i < 3; i++) {
		size_t start = i ? ends[i - 1] : 0;
		*fields[i] = (struct pv_str){
		    pv_buf_text(texts) + start, ends[i] - start};
	}
}

static bool get(struct pv_statement *get, uint64_t address,
    struct pv_buf *texts, struct pv_page_rows *rows)
{
	pv_statement_bind(get, 1, (int64_t)address);
	if (!pv_statement_step(get))
		return false;
	rows->count = (uint64_t)pv_statement_number(get, 0);
	rows->problems = pv_statement_number(get, 1);
	copy_texts(get, texts, rows);
	pv_statement_reset(get);
	return true;
}

static void set(
    struct pv_statement *set, uint64_t address, const struct pv_page_rows *rows)
{
	pv_statement_bind(set, 1, (int64_t)address);
	pv_statement_bind(set, 2, (int64_t)rows->count);
	pv_statement_bind(set, 3, rows->problems);
	pv_statement_bind_text(set, 4, rows->kind);
	pv_statement_bind_text(set, 5, rows->items);
	pv_statement_bind_bytes(set, 6, rows->digest);
	pv_statement_run(set);
}

static void remove_row(struct pv_statement *remove, uint64_t address)
{
	pv_statement_bind(remove, 1, (int64_t)address);
	pv_statement_run(remove);
}

bool pv_page_rows_table_get(const struct pv_page_rows_table *table,
    uint64_t address, struct pv_buf *texts, struct pv_page_rows *rows)
{
	return get(table->statements[GET], address, texts, rows);
}

void pv_page_rows_table_set(const struct pv_page_rows_table *table,
    uint64_t address, const struct pv_page_rows *rows)
{
	set(table->statements[SET], address, rows);
}

void pv_page_rows_table_remove(
    const struct pv_page_rows_table *table, uint64_t address)
{
	remove_row(table->statements[REMOVE], address);
}

bool pv_page_rows_table_get_distant(const struct pv_page_rows_table *table,
    uint64_t address, struct pv_buf *texts, struct pv_page_rows *rows)
{
	return get(table->statements[GET_DISTANT], address, texts, rows);
}

void pv_page_rows_table_set_distant(const struct pv_page_rows_table *table,
    uint64_t address, const struct pv_page_rows *rows)
{
	set(table->statements[SET_DISTANT], address, rows);
}

void pv_page_rows_table_remove_distant(
    const struct pv_page_rows_table *table, uint64_t address)
{
	remove_row(table->statements[REMOVE_DISTANT], address);
}

void pv_page_rows_table_count(const struct pv_page_rows_table *table,
    struct pv_str kind, int64_t pages, int64_t rows)
{
	struct pv_statement *count = table->statements[COUNT];
	if (!pages && !rows)
		return;
	pv_statement_bind_text(count, 1, kind);
	pv_statement_bind(count, 2, pages);
	pv_statement_bind(count, 3, rows);
	pv_statement_run(count);
}

struct pv_distant_rows {
	struct pv_statement *find;
};

struct pv_distant_rows *pv_distant_rows_open(struct pv_database *database)
{
	if (!pv_database_number(
		database, "SELECT EXISTS(SELECT 1 FROM distant_rows)"))
		return NULL;
	struct pv_distant_rows *rows = pv_alloc(sizeof(*rows));
	rows->find = pv_statement_create(database,
	    "SELECT 1 FROM seen JOIN distant_rows ON distant_rows.address = "
	    "seen.address WHERE origin = ?1 AND fingerprint = ?2");
	return rows;
}

void pv_distant_rows_close(struct pv_distant_rows *rows)
{
	if (!rows)
		return;
	pv_statement_destroy(rows->find);
	free(rows);
}

bool pv_distant_rows_have(
    struct pv_distant_rows *rows, struct pv_fingerprint fingerprint)
{
	pv_statement_bind_fingerprint(rows->find, 1, fingerprint);
	bool has = pv_statement_step(rows->find);
	pv_statement_reset(rows->find);
	return has;
}

void pv_page_rows_forget(struct pv_database *database)
{
	pv_database_run(database, "DELETE FROM page_rows");
	pv_database_run(database, "DELETE FROM distant_rows");
	pv_database_run(database, "DELETE FROM row_counts");
	pv_database_run(database, "DELETE FROM field_faults");
}

void pv_page_rows_each_count(
    struct pv_database *database, pv_row_count_fn on_count, void *ctx)
{
	struct pv_statement *row = pv_statement_create(
	    database, "SELECT kind, pages, rows FROM row_counts ORDER BY kind");
	while (pv_statement_step(row))
		on_count(ctx, pv_statement_text(row, 0),
		    (uint64_t)pv_statement_number(row, 1),
		    (uint64_t)pv_statement_number(row, 2));
	pv_statement_destroy(row);
}
