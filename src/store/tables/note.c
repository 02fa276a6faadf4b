#include "store/tables/note.h"

#include "store/statement.h"

static struct pv_statement *select_note(
    struct pv_database *database, struct pv_str name)
{
	struct pv_statement *statement = pv_statement_create(
	    database, "SELECT value FROM crawl WHERE name = ?1");
	pv_statement_bind_text(statement, 1, name);
	return statement;
}

static struct pv_statement *set_note(
    struct pv_database *database, struct pv_str name)
{
	struct pv_statement *statement = pv_statement_create(database,
	    "INSERT OR REPLACE INTO crawl(name, value) VALUES(?1, ?2)");
	pv_statement_bind_text(statement, 1, name);
	return statement;
}

int64_t pv_note_get(
    struct pv_database *database, struct pv_str name, int64_t missing)
{
	struct pv_statement *statement = select_note(database, name);
	int64_t number = missing;
	if (pv_statement_step(statement))
		number = pv_statement_number(statement, 0);
	pv_statement_destroy(statement);
	return number;
}

void pv_note_set(
    struct pv_database *database, struct pv_str name, int64_t number)
{
	struct pv_statement *statement = set_note(database, name);
	pv_statement_bind(statement, 2, number);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

bool pv_note_get_text(
    struct pv_database *database, struct pv_str name, struct pv_buf *text)
{
	struct pv_statement *statement = select_note(database, name);
	bool is_there = pv_statement_step(statement) &&
			pv_buf_append(text, pv_statement_text(statement, 0));
	pv_statement_destroy(statement);
	return is_there;
}

void pv_note_set_text(
    struct pv_database *database, struct pv_str name, struct pv_str text)
{
	struct pv_statement *statement = set_note(database, name);
	pv_statement_bind_text(statement, 2, text);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

struct pv_hash_key pv_note_get_key(struct pv_database *database)
{
	return (struct pv_hash_key){
	    {(uint64_t)pv_note_get(database, PV_STR("key-0"), 0),
		(uint64_t)pv_note_get(database, PV_STR("key-1"), 0)}};
}

void pv_note_each(struct pv_database *database, struct pv_str beginning,
    pv_note_fn on_text, void *ctx)
{
	struct pv_statement *statement = pv_statement_create(database,
	    "SELECT value FROM crawl WHERE substr(name, 1, length(?1)) = ?1");
	pv_statement_bind_text(statement, 1, beginning);
	while (pv_statement_step(statement))
		on_text(ctx, pv_statement_text(statement, 0));
	pv_statement_destroy(statement);
}

void pv_notes_forget(struct pv_database *database, struct pv_str beginning)
{
	struct pv_statement *statement = pv_statement_create(database,
	    "DELETE FROM crawl WHERE substr(name, 1, length(?1)) = ?1");
	pv_statement_bind_text(statement, 1, beginning);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}
