#include "store/tables/page_marks.h"

#include "store/statement.h"

static void run(struct pv_database *database, const char *sql, uint64_t address)
{
	struct pv_statement *statement = pv_statement_create(database, sql);
	pv_statement_bind(statement, 1, (int64_t)address);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

void pv_page_marks_set_bare(
    struct pv_database *database, uint64_t address, bool is_bare)
{
	run(database,
	    is_bare ? "INSERT OR IGNORE INTO bare_pages(address) VALUES(?1)"
		    : "DELETE FROM bare_pages WHERE address = ?1",
	    address);
}

void pv_page_marks_set_dead_end(struct pv_database *database, uint64_t address,
    unsigned kind, struct pv_str location)
{
	struct pv_statement *set = pv_statement_create(database,
	    "INSERT OR REPLACE INTO dead_ends(address, kind, location) "
	    "VALUES(?1, ?2, ?3)");
	pv_statement_bind(set, 1, (int64_t)address);
	pv_statement_bind(set, 2, kind);
	pv_statement_bind_text(set, 3, location);
	pv_statement_run(set);
	pv_statement_destroy(set);
}

void pv_page_marks_unset_dead_end(
    struct pv_database *database, uint64_t address)
{
	run(database, "DELETE FROM dead_ends WHERE address = ?1", address);
}
