#include "store/rows_database.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "store/state_file.h"
#include "store/statement.h"
#include "store/wal.h"

/* "PvRo", and the format. */
#define APPLICATION_ID 0x5076526f
#define FORMAT 1

#define CACHE_BYTES ((size_t)16 << 20)

/* Statements are made when they are needed: a policy may have many tables. */
struct table {
	struct pv_statement *insert;
	struct pv_statement *end;
	struct pv_statement *purge;
	bool has_ended; /* rows that are still there */
};

struct pv_rows_database {
	struct pv_database *database;
	struct pv_buf path;
	const struct pv_rows_table *layouts;
	struct table *tables;
	size_t count;
	int64_t number; /* of the last commit */
	bool is_in_transaction;
	bool has_name; /* on the disk */

	/* the row in hand */
	struct pv_statement *insert;
	int bound;
};

static struct pv_place place_of(const struct pv_rows_database *rows)
{
	return (struct pv_place){.file = pv_buf_text(&rows->path)};
}

/* Opening */

static void tell(const struct pv_rows_database *rows, struct pv_why *why)
{
	pv_why_add(why, place_of(rows), PV_STR(""), "cannot be used: %s",
	    pv_database_fault(rows->database));
}

static bool is_ours(const struct pv_rows_database *rows, struct pv_why *why)
{
	struct pv_database *database = rows->database;
	int64_t application =
	    pv_database_number(database, "PRAGMA application_id");
	int64_t format = pv_database_number(database, "PRAGMA user_version");
	int64_t tables =
	    pv_database_number(database, "SELECT count(*) FROM sqlite_master");
	if (pv_database_status(database) != PV_STORE_OK) {
		tell(rows, why);
		return false;
	}
	bool is_new = !application && !format && !tables;
	if (is_new || (application == APPLICATION_ID && format == FORMAT))
		return true;
	pv_why_add(why, place_of(rows), PV_STR(""), "%s",
	    application == APPLICATION_ID
		? "was written by another version of pavane: use that one, or "
		  "move the file away"
		: "is the database of another program: move the file away");
	return false;
}

static bool make_tables(struct pv_rows_database *rows, struct pv_why *why)
{
	char sql[96];
	snprintf(sql, sizeof(sql),
	    "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION_ID,
	    FORMAT);
	pv_database_begin(rows->database);
	pv_database_run(rows->database, sql);
	pv_database_run(rows->database,
	    "CREATE TABLE IF NOT EXISTS \"file.commits\"("
	    " one INTEGER PRIMARY KEY, number INTEGER NOT NULL)");
	for (size_t i = 0; i < rows->count; i++)
		pv_rows_schema_apply(rows->database, &rows->layouts[i]);
	pv_database_commit(rows->database);
	if (pv_database_status(rows->database) == PV_STORE_OK)
		return true;
	tell(rows, why);
	return false;
}

static bool open_file(struct pv_rows_database *rows, struct pv_why *why)
{
	const char *path = pv_buf_text(&rows->path);
	if (!pv_rows_schema_check(path, rows->layouts, rows->count, why) ||
	    !pv_state_file_make(path, why))
		return false;
	rows->database = pv_database_open(path);
	if (!is_ours(rows, why))
		return false;
	pv_database_tune(rows->database, CACHE_BYTES);
	return make_tables(rows, why);
}

struct pv_rows_database *pv_rows_database_open(const char *path,
    const struct pv_rows_table *tables, size_t count, struct pv_why *why)
{
	struct pv_rows_database *rows = pv_alloc(sizeof(*rows));
	pv_buf_init(&rows->path, SIZE_MAX);
	pv_buf_append_text(&rows->path, path);
	rows->layouts = tables;
	rows->count = count;
	rows->tables = pv_alloc_array(count + 1, sizeof(*rows->tables));
	if (open_file(rows, why))
		return rows;
	pv_rows_database_close(rows);
	return NULL;
}

void pv_rows_database_close(struct pv_rows_database *rows)
{
	if (!rows)
		return;
	for (size_t i = 0; i < rows->count; i++) {
		pv_statement_destroy(rows->tables[i].insert);
		pv_statement_destroy(rows->tables[i].end);
		pv_statement_destroy(rows->tables[i].purge);
	}
	if (rows->is_in_transaction)
		pv_database_roll_back(rows->database);
	pv_database_close(rows->database);
	free(rows->tables);
	pv_buf_finish(&rows->path);
	free(rows);
}

/* Recovering */

static void run_for(struct pv_database *database, const char *before,
    struct pv_str table, const char *after)
{
	struct pv_buf sql, name;
	pv_buf_init(&sql, SIZE_MAX);
	pv_buf_init(&name, SIZE_MAX);
	pv_buf_append(&name, table);
	pv_buf_append_text(&sql, before);
	pv_rows_schema_quote(pv_buf_text(&name), &sql);
	pv_buf_append_text(&sql, after);
	pv_database_run(database, pv_buf_text(&sql));
	pv_buf_finish(&sql);
	pv_buf_finish(&name);
}

/* Later rows have larger numbers, so those that go are the last. */
static void take_back(
    struct pv_database *database, struct pv_str table, int64_t number)
{
	struct pv_buf name, rest;
	char text[64];
	pv_buf_init(&rest, SIZE_MAX);
	pv_buf_init(&name, SIZE_MAX);
	pv_buf_append(&name, table);
	pv_buf_append_text(&rest, " WHERE _id > ifnull((SELECT _id FROM ");
	pv_rows_schema_quote(pv_buf_text(&name), &rest);
	pv_buf_append_format(&rest,
	    " WHERE _from <= %" PRId64 " ORDER BY _id DESC LIMIT 1), 0)",
	    number);
	run_for(database, "DELETE FROM ", table, pv_buf_text(&rest));
	snprintf(text, sizeof(text), " WHERE _until <= %" PRId64, number);
	run_for(database, "DELETE FROM ", table, text);
	run_for(database, "UPDATE ", table,
	    " SET _until = NULL WHERE _until IS NOT NULL");
	pv_buf_finish(&rest);
	pv_buf_finish(&name);
}

/* Also of kinds that the policy does not have any more. The names are read
 * first: what is being read is not to be changed. */
static void take_back_all(struct pv_database *database, int64_t number)
{
	struct pv_buf names;
	pv_buf_init(&names, SIZE_MAX);
	struct pv_statement *select = pv_statement_create(database,
	    "SELECT name FROM sqlite_master WHERE type = 'table' "
	    "AND name LIKE 'rows.%'");
	while (pv_statement_step(select)) {
		pv_buf_append(&names, pv_statement_text(select, 0));
		pv_buf_append_char(&names, '\n');
	}
	pv_statement_destroy(select);
	struct pv_str left = pv_buf_str(&names);
	while (left.len) {
		size_t end = pv_str_find(left, '\n');
		take_back(database, pv_str_head(left, end), number);
		left = pv_str_from(left, end + 1);
	}
	pv_buf_finish(&names);
}

static void note_number(struct pv_database *database, int64_t number)
{
	struct pv_statement *set = pv_statement_create(database,
	    "INSERT OR REPLACE INTO \"file.commits\"(one, number) "
	    "VALUES(1, ?1)");
	pv_statement_bind(set, 1, number);
	pv_statement_run(set);
	pv_statement_destroy(set);
}

bool pv_rows_database_recover(
    struct pv_rows_database *rows, int64_t number, struct pv_why *why)
{
	struct pv_database *database = rows->database;
	int64_t reached =
	    pv_database_number(database, "SELECT number FROM \"file.commits\"");
	bool is_read = pv_database_status(database) == PV_STORE_OK;
	if (is_read && reached < number) {
		pv_why_add(why, place_of(rows), PV_STR(""),
		    "does not have all rows that were written: somebody "
		    "changed or removed it; put it back, or begin anew with "
		    "--fresh");
		return false;
	}
	pv_database_begin(database);
	take_back_all(database, number);
	note_number(database, number);
	pv_database_commit(database);
	rows->number = number;
	if (pv_database_status(database) == PV_STORE_OK)
		return true;
	tell(rows, why);
	return false;
}

/* Writing */

static void begin(struct pv_rows_database *rows)
{
	if (!rows->is_in_transaction)
		pv_database_begin(rows->database);
	rows->is_in_transaction = true;
}

static struct pv_statement *make(struct pv_rows_database *rows, size_t table,
    const char *before, const char *after)
{
	struct pv_buf sql;
	pv_buf_init(&sql, SIZE_MAX);
	pv_buf_append_text(&sql, before);
	pv_rows_schema_name(&rows->layouts[table], &sql);
	pv_buf_append_text(&sql, after);
	struct pv_statement *statement =
	    pv_statement_create(rows->database, pv_buf_text(&sql));
	pv_buf_finish(&sql);
	return statement;
}

static struct pv_statement *make_insert(
    struct pv_rows_database *rows, size_t table)
{
	const struct pv_rows_table *layout = &rows->layouts[table];
	struct pv_buf columns;
	pv_buf_init(&columns, SIZE_MAX);
	pv_buf_append_text(&columns, "(_page, _from");
	for (size_t i = 0; i < layout->count; i++) {
		pv_buf_append_text(&columns, ", ");
		pv_rows_schema_quote(layout->columns[i].name, &columns);
	}
	pv_buf_append_text(&columns, ") VALUES(?, ?");
	for (size_t i = 0; i < layout->count; i++)
		pv_buf_append_text(&columns, ", ?");
	pv_buf_append_text(&columns, ")");
	struct pv_statement *insert =
	    make(rows, table, "INSERT INTO ", pv_buf_text(&columns));
	pv_buf_finish(&columns);
	return insert;
}

void pv_rows_database_begin_row(
    struct pv_rows_database *rows, size_t table, uint64_t page)
{
	struct table *into = &rows->tables[table];
	begin(rows);
	if (!into->insert)
		into->insert = make_insert(rows, table);
	rows->insert = into->insert;
	pv_statement_bind(rows->insert, 1, (int64_t)page);
	pv_statement_bind(rows->insert, 2, rows->number + 1);
	rows->bound = 2;
}

void pv_rows_database_bind_null(struct pv_rows_database *rows)
{
	pv_statement_bind_null(rows->insert, ++rows->bound);
}

void pv_rows_database_bind_number(struct pv_rows_database *rows, int64_t number)
{
	pv_statement_bind(rows->insert, ++rows->bound, number);
}

void pv_rows_database_bind_text(
    struct pv_rows_database *rows, struct pv_str text)
{
	pv_statement_bind_text(rows->insert, ++rows->bound, text);
}

void pv_rows_database_bind_column(
    struct pv_rows_database *rows, const struct pv_statement *row, int column)
{
	pv_statement_bind_column(rows->insert, ++rows->bound, row, column);
}

void pv_rows_database_add_row(struct pv_rows_database *rows)
{
	pv_statement_run(rows->insert);
}

void pv_rows_database_end_page(
    struct pv_rows_database *rows, size_t table, uint64_t page)
{
	struct table *of = &rows->tables[table];
	begin(rows);
	if (!of->end)
		of->end = make(rows, table, "UPDATE ",
		    " SET _until = ?2 WHERE _page = ?1 AND _until IS NULL");
	pv_statement_bind(of->end, 1, (int64_t)page);
	pv_statement_bind(of->end, 2, rows->number + 1);
	of->has_ended = pv_statement_run(of->end) > 0 || of->has_ended;
}

/* What ended with an earlier commit, which the state has by now. */
static void purge(struct pv_rows_database *rows, size_t table)
{
	struct table *of = &rows->tables[table];
	if (!of->has_ended)
		return;
	if (!of->purge)
		of->purge =
		    make(rows, table, "DELETE FROM ", " WHERE _until <= ?1");
	pv_statement_bind(of->purge, 1, rows->number);
	pv_statement_run(of->purge);
}

static bool commit(struct pv_rows_database *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		purge(rows, i);
	note_number(rows->database, ++rows->number);
	bool is_committed = pv_database_commit(rows->database);
	rows->is_in_transaction = false;
	if (!rows->has_name && is_committed)
		rows->has_name = pv_file_sync_name(pv_buf_text(&rows->path));
	if (is_committed && !rows->has_name)
		pv_database_fail(rows->database, PV_STORE_FAILED,
		    "its directory cannot be written to the disk");
	pv_wal_fold(rows->database);
	return is_committed && rows->has_name;
}

int64_t pv_rows_database_commit(struct pv_rows_database *rows)
{
	if (pv_database_status(rows->database) != PV_STORE_OK)
		return 0;
	if (rows->is_in_transaction && !commit(rows))
		return 0;
	return rows->number;
}

enum pv_store_status pv_rows_database_status(
    const struct pv_rows_database *rows)
{
	return pv_database_status(rows->database);
}

const char *pv_rows_database_fault(const struct pv_rows_database *rows)
{
	return pv_database_fault(rows->database);
}
