#include "store/tables/moved_link_table.h"

#include "store/statement.h"

void pv_moved_link_table_look(
    struct pv_moved_link_table *table, struct pv_database *database)
{
	*table = (struct pv_moved_link_table){.get = NULL};
	if (pv_database_number(
		database, "SELECT EXISTS(SELECT 1 FROM moved_links)"))
		table->get = pv_statement_create(database,
		    "SELECT link, text, named FROM moved_links WHERE document "
		    "= ?1 ORDER BY link");
}

void pv_moved_link_table_open(
    struct pv_moved_link_table *table, const char *path)
{
	struct pv_database *database = pv_database_open(path);
	pv_database_run(database, "PRAGMA synchronous=NORMAL");
	*table = (struct pv_moved_link_table){.database = database};
	table->put = pv_statement_create(database,
	    "INSERT OR REPLACE INTO moved_links(document, link, text, named) "
	    "VALUES(?1, ?2, ?3, ?4)");
	table->drop = pv_statement_create(
	    database, "DELETE FROM moved_links WHERE document = ?1");
}

void pv_moved_link_table_close(struct pv_moved_link_table *table)
{
	pv_statement_destroy(table->get);
	pv_statement_destroy(table->put);
	pv_statement_destroy(table->drop);
	if (table->database)
		pv_database_close(table->database);
}

void pv_moved_link_table_each(const struct pv_moved_link_table *table,
    int64_t document, pv_moved_link_fn on_moved, void *ctx)
{
	struct pv_statement *row = table->get;
	if (!row)
		return;
	pv_statement_bind(row, 1, document);
	while (pv_statement_step(row)) {
		struct pv_moved_link_row moved = {
		    .link = (size_t)pv_statement_number(row, 0),
		    .text = pv_statement_text(row, 1),
		    .named = pv_statement_text(row, 2),
		};
		on_moved(ctx, &moved);
	}
}

void pv_moved_link_table_put(const struct pv_moved_link_table *table,
    int64_t document, const struct pv_moved_link_row *moved)
{
	pv_statement_bind(table->put, 1, document);
	pv_statement_bind(table->put, 2, (int64_t)moved->link);
	pv_statement_bind_text(table->put, 3, moved->text);
	pv_statement_bind_text(table->put, 4, moved->named);
	pv_statement_run(table->put);
}

void pv_moved_link_table_drop(
    const struct pv_moved_link_table *table, int64_t document)
{
	pv_statement_bind(table->drop, 1, document);
	pv_statement_run(table->drop);
}
