#ifndef PAVANE_STORE_ROWS_SCHEMA_H
#define PAVANE_STORE_ROWS_SCHEMA_H

#include "base/why.h"
#include "store/database.h"

/* The tables of a file of rows (store/rows_database.h), as somebody describes
 * them by names and types.
 *
 * People see each as a view of its name, which shows the rows that there are
 * now. Its rows stand in a table called "rows.NAME", which no name can be, with
 * what the file needs to know besides: the page that gave them, and the numbers
 * of the commits from which and until which they hold. Names are quoted,
 * whatever they are. Columns that are new are added; none is ever removed.
 */
enum pv_rows_type {
	PV_ROWS_TEXT,
	PV_ROWS_REAL,
	PV_ROWS_ANY, /* integers, and what must stay as it is: the digits of
			one that is too large for SQLite */
};

struct pv_rows_column {
	const char *name;
	enum pv_rows_type type;
};

/* The columns' names begin with a letter or are those of its maker that begin
 * with an underscore, of which _id, _page, _from and _until are the file's. */
struct pv_rows_table {
	const char *name;
	const char *part; /* of records within, which are seen as NAME_PART;
			     NULL: of rows themselves */
	const struct pv_rows_column *columns;
	size_t count;
};

/* The name behind which the rows stand. */
void pv_rows_schema_name(const struct pv_rows_table *table, struct pv_buf *sql);

/* A name, quoted. */
void pv_rows_schema_quote(const char *name, struct pv_buf *sql);

/* Whether all of them may have their names: no two are alike to SQLite, which
 * does not tell capitals from small letters, and none is its own. False, with
 * the reason. */
bool pv_rows_schema_check(const char *path, const struct pv_rows_table *tables,
    size_t count, struct pv_why *why);

/* Makes what is missing, in a transaction; faults are the database's. */
void pv_rows_schema_apply(
    struct pv_database *database, const struct pv_rows_table *table);

#endif
