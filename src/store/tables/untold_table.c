#include "store/tables/untold_table.h"

#include "store/statement.h"

void pv_untold_table_add(struct pv_database *database, uint64_t number,
    uint64_t address, bool is_final)
{
	struct pv_statement *add = pv_statement_create(database,
	    "INSERT OR REPLACE INTO untold(number, address, is_final) "
	    "VALUES(?1, ?2, ?3)");
	pv_statement_bind(add, 1, (int64_t)number);
	pv_statement_bind(add, 2, (int64_t)address);
	pv_statement_bind(add, 3, is_final);
	pv_statement_run(add);
	pv_statement_destroy(add);
}

void pv_untold_table_forget(struct pv_database *database, uint64_t number)
{
	struct pv_statement *forget = pv_statement_create(
	    database, "DELETE FROM untold WHERE number <= ?1");
	pv_statement_bind(forget, 1, (int64_t)number);
	pv_statement_run(forget);
	pv_statement_destroy(forget);
}

uint64_t pv_untold_table_next(struct pv_database *database, uint64_t number,
    struct pv_buf *url, bool *is_final)
{
	struct pv_statement *select = pv_statement_create(database,
	    "SELECT number, is_final, url FROM untold "
	    "JOIN addresses ON addresses.id = untold.address "
	    "WHERE number > ?1 ORDER BY number LIMIT 1");
	uint64_t next = 0;
	pv_statement_bind(select, 1, (int64_t)number);
	if (pv_statement_step(select)) {
		next = (uint64_t)pv_statement_number(select, 0);
		*is_final = pv_statement_number(select, 1) != 0;
		pv_buf_append(url, pv_statement_text(select, 2));
	}
	pv_statement_destroy(select);
	return next;
}
