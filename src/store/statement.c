#include "store/statement.h"

#include <errno.h>
#include <stdlib.h>
#include <sqlite3.h>

#include "base/alloc.h"
#include "store/database_handle.h"

struct pv_statement {
	struct pv_database *database;
	sqlite3_stmt *sqlite; /* NULL after a fault */
};

struct pv_statement *pv_statement_create(
    struct pv_database *database, const char *sql)
{
	struct pv_statement *statement = pv_alloc(sizeof(*statement));
	statement->database = database;
	if (database->status != PV_STORE_OK)
		return statement;
	errno = 0;
	pv_database_check(
	    database, sqlite3_prepare_v3(database->sqlite, sql, -1,
			  SQLITE_PREPARE_PERSISTENT, &statement->sqlite, NULL));
	return statement;
}

void pv_statement_destroy(struct pv_statement *statement)
{
	if (!statement)
		return;
	sqlite3_finalize(statement->sqlite);
	free(statement);
}

void pv_statements_create(struct pv_statement **statements,
    struct pv_database *database, const char *const *sql, size_t count)
{
	for (size_t i = 0; i < count; i++)
		statements[i] = pv_statement_create(database, sql[i]);
}

void pv_statements_destroy(struct pv_statement **statements, size_t count)
{
	for (size_t i = 0; i < count; i++)
		pv_statement_destroy(statements[i]);
}

void pv_statement_bind(
    struct pv_statement *statement, int parameter, int64_t number)
{
	if (statement->sqlite)
		pv_database_check(statement->database,
		    sqlite3_bind_int64(statement->sqlite, parameter, number));
}

void pv_statement_bind_fingerprint(struct pv_statement *statement,
    int parameter, struct pv_fingerprint fingerprint)
{
	pv_statement_bind(statement, parameter, fingerprint.origin);
	pv_statement_bind(
	    statement, parameter + 1, (int64_t)fingerprint.address);
}

void pv_statement_bind_text(
    struct pv_statement *statement, int parameter, struct pv_str text)
{
	if (statement->sqlite)
		pv_database_check(statement->database,
		    sqlite3_bind_text64(statement->sqlite, parameter,
			pv_str_bytes(text), text.len, SQLITE_STATIC,
			SQLITE_UTF8));
}

void pv_statement_bind_bytes(
    struct pv_statement *statement, int parameter, struct pv_str bytes)
{
	if (statement->sqlite)
		pv_database_check(statement->database,
		    sqlite3_bind_blob64(statement->sqlite, parameter,
			pv_str_bytes(bytes), bytes.len, SQLITE_STATIC));
}

void pv_statement_bind_null(struct pv_statement *statement, int parameter)
{
	if (statement->sqlite)
		pv_database_check(statement->database,
		    sqlite3_bind_null(statement->sqlite, parameter));
}

void pv_statement_bind_column(struct pv_statement *statement, int parameter,
    const struct pv_statement *row, int column)
{
	if (statement->sqlite)
		pv_database_check(statement->database,
		    sqlite3_bind_value(statement->sqlite, parameter,
			sqlite3_column_value(row->sqlite, column)));
}

bool pv_statement_step(struct pv_statement *statement)
{
	if (statement->database->status != PV_STORE_OK)
		return false;
	errno = 0;
	int code = sqlite3_step(statement->sqlite);
	if (code == SQLITE_ROW)
		return true;
	pv_database_check(statement->database, code);
	sqlite3_reset(statement->sqlite);
	return false;
}

int64_t pv_statement_run(struct pv_statement *statement)
{
	while (pv_statement_step(statement)) {
	}
	return statement->database->status == PV_STORE_OK
		   ? sqlite3_changes(statement->database->sqlite)
		   : 0;
}

void pv_statement_reset(struct pv_statement *statement)
{
	sqlite3_reset(statement->sqlite);
}

int64_t pv_statement_number(const struct pv_statement *statement, int column)
{
	return sqlite3_column_int64(statement->sqlite, column);
}

struct pv_str pv_statement_text(
    const struct pv_statement *statement, int column)
{
	const unsigned char *text =
	    sqlite3_column_text(statement->sqlite, column);
	int len = sqlite3_column_bytes(statement->sqlite, column);
	return (struct pv_str){
	    text ? (const char *)text : "", text ? (size_t)len : 0};
}

int64_t pv_statements_step(struct pv_statement *step, int64_t after)
{
	int64_t to = 0;
	pv_statement_bind(step, 1, after);
	if (pv_statement_step(step))
		to = pv_statement_number(step, 0);
	pv_statement_reset(step);
	return to;
}
