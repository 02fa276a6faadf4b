#ifndef PAVANE_STORE_STATEMENT_H
#define PAVANE_STORE_STATEMENT_H

#include "base/str.h"
#include "record/fingerprint.h"
#include "store/database.h"

/* A prepared statement of SQL: bind its parameters (from 1), step through its
 * rows, read their columns (from 0).
 *
 * Faults go to the database, and after one nothing steps. The last step, and
 * pv_statement_run, leave the statement ready to be used again; who leaves
 * earlier calls pv_statement_reset.
 */
struct pv_statement;

struct pv_statement *pv_statement_create(
    struct pv_database *database, const char *sql);
void pv_statement_destroy(struct pv_statement *statement);

/* The same for a table of them. */
void pv_statements_create(struct pv_statement **statements,
    struct pv_database *database, const char *const *sql, size_t count);
void pv_statements_destroy(struct pv_statement **statements, size_t count);

/* A text must live until the statement is reset. */
void pv_statement_bind(
    struct pv_statement *statement, int parameter, int64_t number);
void pv_statement_bind_text(
    struct pv_statement *statement, int parameter, struct pv_str text);
void pv_statement_bind_bytes(
    struct pv_statement *statement, int parameter, struct pv_str bytes);
void pv_statement_bind_null(struct pv_statement *statement, int parameter);

/* What stands in a column of another statement's row, of any type; it must stay
 * there until the statement is reset. */
void pv_statement_bind_column(struct pv_statement *statement, int parameter,
    const struct pv_statement *row, int column);

/* To two parameters, the first of which is that of the origin. */
void pv_statement_bind_fingerprint(struct pv_statement *statement,
    int parameter, struct pv_fingerprint fingerprint);

/* Whether there is a row, the first or the next. */
bool pv_statement_step(struct pv_statement *statement);

/* To the end, for what gives no rows; how many rows it changed, 0 after a
 * fault. */
int64_t pv_statement_run(struct pv_statement *statement);
void pv_statement_reset(struct pv_statement *statement);

/* The columns of the row; a text, or bytes, is valid until the next step or
 * reset, and null is 0 or empty. */
int64_t pv_statement_number(const struct pv_statement *statement, int column);
struct pv_str pv_statement_text(
    const struct pv_statement *statement, int column);

/* A table whose rows are gone through in steps, by their numbers: `count` in
 * each, however far apart these are. */
#define PV_STEP_OF(table, count)                     \
	"SELECT max(id) FROM (SELECT id FROM " table \
	" WHERE id > ?1 ORDER BY id LIMIT " count ")"

/* The last row of the step that begins behind that one, by the SQL above; 0 if
 * there is none. */
int64_t pv_statements_step(struct pv_statement *step, int64_t after);

#endif
