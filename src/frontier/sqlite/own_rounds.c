#include "frontier/sqlite/own_rounds.h"

#include "store/statement.h"

void pv_own_rounds_init(
    struct pv_own_rounds *rounds, struct pv_database *database)
{
	rounds->database = database;
	rounds->has_rows = pv_database_number(database,
			       "SELECT EXISTS(SELECT 1 FROM own_rounds)") != 0;
}

void pv_own_rounds_begin(struct pv_own_rounds *rounds, uint64_t address)
{
	struct pv_statement *statement = pv_statement_create(rounds->database,
	    "INSERT INTO own_rounds(address, round) VALUES(?1, 2) "
	    "ON CONFLICT(address) DO UPDATE SET round = round + 1");
	rounds->has_rows = true;
	pv_statement_bind(statement, 1, (int64_t)address);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

uint64_t pv_own_rounds_get(const struct pv_own_rounds *rounds, uint64_t address)
{
	uint64_t round = 0;
	if (!rounds->has_rows)
		return 0;
	struct pv_statement *statement = pv_statement_create(rounds->database,
	    "SELECT round FROM own_rounds WHERE address = ?1");
	pv_statement_bind(statement, 1, (int64_t)address);
	if (pv_statement_step(statement))
		round = (uint64_t)pv_statement_number(statement, 0);
	pv_statement_destroy(statement);
	return round;
}
