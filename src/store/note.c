#include "store/note.h"

#include "store/statement.h"

int64_t pv_note_get(
    struct pv_database *database, struct pv_str name, int64_t missing)
{
	struct pv_statement *statement = pv_statement_create(
	    database, "SELECT value FROM crawl WHERE name = ?1");
	int64_t number = missing;
	pv_statement_bind_text(statement, 1, name);
	if (pv_statement_step(statement))
		number = pv_statement_number(statement, 0);
	pv_statement_destroy(statement);
	return number;
}

void pv_note_set(
    struct pv_database *database, struct pv_str name, int64_t number)
{
	struct pv_statement *statement = pv_statement_create(database,
	    "INSERT OR REPLACE INTO crawl(name, value) VALUES(?1, ?2)");
	pv_statement_bind_text(statement, 1, name);
	pv_statement_bind(statement, 2, number);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}
