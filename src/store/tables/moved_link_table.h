#ifndef PAVANE_STORE_TABLES_MOVED_LINK_TABLE_H
#define PAVANE_STORE_TABLES_MOVED_LINK_TABLE_H

#include <stddef.h>

#include "base/str.h"
#include "store/database.h"

/* The table moved_links: what links of documents named that lead to where that
 * was redirected (mirror/links/moved_links.h), by the documents' addresses.
 *
 * Faults are the database's. Used by one thread at a time.
 */
struct pv_moved_link_row {
	size_t link;         /* its number in the document */
	struct pv_str text;  /* as it stands there */
	struct pv_str named; /* as it came */
};

struct pv_moved_link_table {
	struct pv_database *database;
	struct pv_statement *get;
	struct pv_statement *put;
	struct pv_statement *drop;
};

/* To read; then `get` is NULL where no document has any, and nothing is looked
 * up. */
void pv_moved_link_table_look(
    struct pv_moved_link_table *table, struct pv_database *database);

/* To write, in a database of the table's own, while others read the file. A
 * power cut may take the last commits: then links stay as they are when a
 * redirect changes, and no page is lost. */
void pv_moved_link_table_open(
    struct pv_moved_link_table *table, const char *path);

/* Closes a database of its own, too. */
void pv_moved_link_table_close(struct pv_moved_link_table *table);

/* Calls it with each of a document; texts are borrowed for the call. */
typedef void (*pv_moved_link_fn)(
    void *ctx, const struct pv_moved_link_row *moved);
void pv_moved_link_table_each(const struct pv_moved_link_table *table,
    int64_t document, pv_moved_link_fn on_moved, void *ctx);

void pv_moved_link_table_put(const struct pv_moved_link_table *table,
    int64_t document, const struct pv_moved_link_row *moved);
void pv_moved_link_table_drop(
    const struct pv_moved_link_table *table, int64_t document);

#endif
