#include "store/tables/length.h"

#include "store/statement.h"

uint64_t pv_length_get(struct pv_database *database, struct pv_str file)
{
	uint64_t length = 0;
	struct pv_statement *statement = pv_statement_create(
	    database, "SELECT length FROM files WHERE name = ?1");
	pv_statement_bind_text(statement, 1, file);
	if (pv_statement_step(statement))
		length = (uint64_t)pv_statement_number(statement, 0);
	pv_statement_destroy(statement);
	return length;
}

void pv_length_set(
    struct pv_database *database, struct pv_str file, uint64_t length)
{
	struct pv_statement *statement = pv_statement_create(database,
	    "INSERT INTO files(name, length) VALUES(?1, ?2) "
	    "ON CONFLICT(name) DO UPDATE SET length = ?2");
	pv_statement_bind_text(statement, 1, file);
	pv_statement_bind(statement, 2, (int64_t)length);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

void pv_lengths_each(struct pv_database *database, struct pv_str beginning,
    pv_length_fn fn, void *ctx)
{
	struct pv_statement *statement = pv_statement_create(database,
	    "SELECT name, length FROM files "
	    "WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name");
	bool goes_on = true;
	pv_statement_bind_text(statement, 1, beginning);
	while (goes_on && pv_statement_step(statement))
		goes_on = fn(ctx, pv_statement_text(statement, 0),
		    (uint64_t)pv_statement_number(statement, 1));
	pv_statement_destroy(statement);
}

void pv_lengths_forget(struct pv_database *database, struct pv_str beginning)
{
	struct pv_statement *statement = pv_statement_create(database,
	    "DELETE FROM files WHERE substr(name, 1, length(?1)) = ?1");
	pv_statement_bind_text(statement, 1, beginning);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}
