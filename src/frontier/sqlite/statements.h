#ifndef PAVANE_FRONTIER_SQLITE_STATEMENTS_H
#define PAVANE_FRONTIER_SQLITE_STATEMENTS_H

#include <stddef.h>

#include "store/statement.h"

/* Prepares a table of statements, and lets go of them. */
void pv_statements_create(struct pv_statement **statements,
    struct pv_database *database, const char *const *sql, size_t count);
void pv_statements_destroy(struct pv_statement **statements, size_t count);

/* A table whose rows are gone through in steps, by their numbers, as many in each
 * however far apart these are. */
#define PV_STEP_OF(table)                            \
	"SELECT max(id) FROM (SELECT id FROM " table \
	" WHERE id > ?1 ORDER BY id LIMIT 500)"

/* The last row of the step that begins behind that one, by the SQL above; 0 if
 * there is none. */
int64_t pv_statements_step(struct pv_statement *step, int64_t after);

#endif
