#include "frontier/sqlite/carry_table.h"

#include "store/statement.h"

enum {
	SET,
	DROP,
	GET,
};

static const char *const sql[PV_CARRY_STATEMENTS] = {
    [SET] = "INSERT OR REPLACE INTO carried(address, carry) VALUES(?1, ?2)",
    [DROP] = "DELETE FROM carried WHERE address = ?1",
    [GET] = "SELECT carry FROM carried WHERE address = ?1",
};

void pv_carry_table_init(
    struct pv_carry_table *table, struct pv_database *database)
{
	table->database = database;
	pv_statements_create(
	    table->statements, database, sql, PV_CARRY_STATEMENTS);
	table->has_rows = pv_database_number(database,
			      "SELECT EXISTS(SELECT 1 FROM carried)") != 0;
}

void pv_carry_table_finish(struct pv_carry_table *table)
{
	pv_statements_destroy(table->statements, PV_CARRY_STATEMENTS);
}

void pv_carry_table_set(
    struct pv_carry_table *table, uint64_t address, struct pv_str carry)
{
	struct pv_statement *statement =
	    table->statements[carry.len ? SET : DROP];
	if (!carry.len && !table->has_rows)
		return;
	table->has_rows = true;
	pv_statement_bind(statement, 1, (int64_t)address);
	if (carry.len)
		pv_statement_bind_text(statement, 2, carry);
	pv_statement_run(statement);
}

void pv_carry_table_get(
    struct pv_carry_table *table, uint64_t address, struct pv_buf *carry)
{
	struct pv_statement *statement = table->statements[GET];
	if (!table->has_rows)
		return;
	pv_statement_bind(statement, 1, (int64_t)address);
	if (pv_statement_step(statement))
		pv_buf_append(carry, pv_statement_text(statement, 0));
	pv_statement_reset(statement);
}
