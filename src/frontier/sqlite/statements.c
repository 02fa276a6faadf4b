#include "frontier/sqlite/statements.h"

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

int64_t pv_statements_step(struct pv_statement *step, int64_t after)
{
	int64_t to = 0;
	pv_statement_bind(step, 1, after);
	if (pv_statement_step(step))
		to = pv_statement_number(step, 0);
	pv_statement_reset(step);
	return to;
}
