#include "mirror/link_notes.h"

#include "store/statement.h"

static const char schema[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA cache_size = -65536; PRAGMA temp_store = FILE;"
    "CREATE TABLE links("
    " key INTEGER, document INTEGER,"
    " PRIMARY KEY(key, document)) WITHOUT ROWID;"
    "CREATE TABLE asked(key INTEGER PRIMARY KEY);"
    "BEGIN";

void pv_link_notes_open(struct pv_link_notes *notes)
{
	notes->database = pv_database_open("");
	pv_database_run(notes->database, schema);
	notes->add = pv_statement_create(
	    notes->database, "INSERT OR IGNORE INTO links VALUES(?1, ?2)");
	notes->forget =
	    pv_statement_create(notes->database, "DELETE FROM asked");
	notes->ask = pv_statement_create(
	    notes->database, "INSERT OR IGNORE INTO asked VALUES(?1)");
	notes->next = pv_statement_create(notes->database,
	    "SELECT DISTINCT document FROM asked CROSS JOIN links USING(key) "
	    "ORDER BY document");
}

void pv_link_notes_close(struct pv_link_notes *notes)
{
	pv_statement_destroy(notes->add);
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
