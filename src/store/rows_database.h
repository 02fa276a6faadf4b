#ifndef PAVANE_STORE_ROWS_DATABASE_H
#define PAVANE_STORE_ROWS_DATABASE_H

#include "store/rows_schema.h"

/* An SQLite file of rows, beside the state of a crawl, for people and programs
 * that ask by SQL.
 *
 * It cannot share a transaction with the state, so it is committed just before
 * it, and the state keeps the number of that commit. Rows carry the number from
 * which, and the one until which they hold. Where the state was not committed
 * any more, the next start takes back what lies beyond its number: rows that
 * began go, and rows that ended hold again. For that a row that has ended stays
 * hidden until a later commit.
 *
 * It has a write-ahead log, so that whoever reads it neither waits nor is
 * waited for. It belongs to the thread that writes the state. The first fault
 * is kept, as in store/database.h.
 */
struct pv_rows_database;

/* The tables stay the caller's, and as they are until it is closed. NULL, with
 * the reason, if it cannot be used. */
struct pv_rows_database *pv_rows_database_open(const char *path,
    const struct pv_rows_table *tables, size_t count, struct pv_why *why);
void pv_rows_database_close(struct pv_rows_database *rows);

/* Makes it what it was after the commit of that number; 0 is before the first.
 * False, with the reason, if it has not come so far. */
bool pv_rows_database_recover(
    struct pv_rows_database *rows, int64_t number, struct pv_why *why);

/* A row of a page: a value for each of its table's columns, in their order, and
 * then the row itself. Texts are borrowed until then. */
void pv_rows_database_begin_row(
    struct pv_rows_database *rows, size_t table, uint64_t page);
void pv_rows_database_bind_null(struct pv_rows_database *rows);
void pv_rows_database_bind_number(
    struct pv_rows_database *rows, int64_t number);
void pv_rows_database_bind_text(
    struct pv_rows_database *rows, struct pv_str text);
/* What stands in a column of a row that is read, of any type. */
struct pv_statement;
void pv_rows_database_bind_column(
    struct pv_rows_database *rows, const struct pv_statement *row, int column);
void pv_rows_database_add_row(struct pv_rows_database *rows);

/* All rows of a page in that table end. */
void pv_rows_database_end_page(
    struct pv_rows_database *rows, size_t table, uint64_t page);

/* Commits what there is. The number of the last commit, for the state, which is
 * to be committed next; 0 where there was none yet, or after a fault. */
int64_t pv_rows_database_commit(struct pv_rows_database *rows);

enum pv_store_status pv_rows_database_status(
    const struct pv_rows_database *rows);
const char *pv_rows_database_fault(const struct pv_rows_database *rows);

#endif
