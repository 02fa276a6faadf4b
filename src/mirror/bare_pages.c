#include "mirror/bare_pages.h"

#include "store/statement.h"

void pv_bare_pages_note(
    struct pv_database *database, uint64_t address, bool is_bare)
{
	struct pv_statement *statement = pv_statement_create(database,
	    is_bare ? "INSERT OR IGNORE INTO bare_pages(address) VALUES(?1)"
		    : "DELETE FROM bare_pages WHERE address = ?1");
	pv_statement_bind(statement, 1, (int64_t)address);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}
