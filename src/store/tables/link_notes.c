#include "store/tables/link_notes.h"

#include "store/statement.h"

static const char schema[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA cache_size = -65536; PRAGMA temp_store = FILE;"
    "CREATE TABLE links("
    " key INTEGER, document INTEGER,"
    " PRIMARY KEY(key, document)) WITHOUT ROWID;"
    "CREATE TABLE leads("
    " there INTEGER, here INTEGER,"
    " PRIMARY KEY(there, here)) WITHOUT ROWID;"
    "CREATE TABLE asked(key INTEGER PRIMARY KEY);"
    "BEGIN";

void pv_link_notes_open(struct pv_link_notes *notes)
{
	notes->database = pv_database_open("");
	pv_database_run(notes->database, schema);
	notes->add = pv_statement_create(
	    notes->database, "INSERT OR IGNORE INTO links VALUES(?1, ?2)");
	notes->lead = pv_statement_create(
	    notes->database, "INSERT OR IGNORE INTO leads VALUES(?1, ?2)");
	notes->leads =
	    pv_statement_create(notes->database, "SELECT here FROM leads");
	notes->forget =
	    pv_statement_create(notes->database, "DELETE FROM asked");
	notes->ask = pv_statement_create(notes->database,
	    "INSERT OR IGNORE INTO asked "
	    "SELECT ?1 UNION ALL SELECT here FROM leads WHERE there = ?1");
	notes->next = pv_statement_create(notes->database,
	    "SELECT DISTINCT document FROM asked CROSS JOIN links USING(key) "
	    "ORDER BY document");
}

void pv_link_notes_close(struct pv_link_notes *notes)
{
	pv_statement_destroy(notes->add);
	pv_statement_destroy(notes->lead);
	pv_statement_destroy(notes->leads);
	pv_statement_destroy(notes->forget);
	pv_statement_destroy(notes->ask);
	pv_statement_destroy(notes->next);
	pv_database_close(notes->database);
}

void pv_link_notes_add(
    struct pv_link_notes *notes, uint64_t document, uint64_t key)
{
	pv_statement_bind(notes->add, 1, (int64_t)key);
	pv_statement_bind(notes->add, 2, (int64_t)document);
	pv_statement_run(notes->add);
}

void pv_link_notes_lead(struct pv_link_notes *notes, uint64_t from, uint64_t to)
{
	pv_statement_bind(notes->lead, 1, (int64_t)to);
	pv_statement_bind(notes->lead, 2, (int64_t)from);
	pv_statement_run(notes->lead);
}

bool pv_link_notes_next_lead(struct pv_link_notes *notes, uint64_t *from)
{
	if (!pv_statement_step(notes->leads))
		return false;
	*from = (uint64_t)pv_statement_number(notes->leads, 0);
	return true;
}

void pv_link_notes_begin(struct pv_link_notes *notes)
{
	pv_statement_run(notes->forget);
}

void pv_link_notes_ask(struct pv_link_notes *notes, uint64_t key)
{
	pv_statement_bind(notes->ask, 1, (int64_t)key);
	pv_statement_run(notes->ask);
}

uint64_t pv_link_notes_next(struct pv_link_notes *notes)
{
	if (!pv_statement_step(notes->next))
		return 0;
	return (uint64_t)pv_statement_number(notes->next, 0);
}
