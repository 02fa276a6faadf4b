#ifndef PAVANE_STORE_TABLES_PAGE_ROWS_H
#define PAVANE_STORE_TABLES_PAGE_ROWS_H

#include "base/buf.h"
#include "record/fingerprint.h"
#include "store/database.h"

/* Which rows each page has given, so that an update tells only what has
 * changed, and how many there are of each kind. Faults are the database's. Used
 * by one thread at a time. */
enum { PV_PAGE_ROWS_STATEMENTS = 7 };

struct pv_page_rows_table {
	struct pv_statement *statements[PV_PAGE_ROWS_STATEMENTS];
};

struct pv_page_rows {
	struct pv_str kind;
	uint64_t count;
	struct pv_str items; /* their numbers, as fields/item_runs.h has them */
	struct pv_str digest; /* of all of them */
	int64_t problems;     /* a hash of what was said of its fields; 0:
				 nothing was */
};

void pv_page_rows_table_init(
    struct pv_page_rows_table *table, struct pv_database *database);
void pv_page_rows_table_finish(struct pv_page_rows_table *table);

/* False where it has given none. Texts are those of the buffer, which is
 * cleared. */
bool pv_page_rows_table_get(const struct pv_page_rows_table *table,
    uint64_t address, struct pv_buf *texts, struct pv_page_rows *rows);
void pv_page_rows_table_set(const struct pv_page_rows_table *table,
    uint64_t address, const struct pv_page_rows *rows);
void pv_page_rows_table_remove(
    const struct pv_page_rows_table *table, uint64_t address);

/* The same of what it has given to another worker of a fleet, later than here: of
 * which nothing is in the files here, and nothing is counted. A count of 0 says that
 * it gave none then. */
bool pv_page_rows_table_get_distant(const struct pv_page_rows_table *table,
    uint64_t address, struct pv_buf *texts, struct pv_page_rows *rows);
void pv_page_rows_table_set_distant(const struct pv_page_rows_table *table,
    uint64_t address, const struct pv_page_rows *rows);
void pv_page_rows_table_remove_distant(
    const struct pv_page_rows_table *table, uint64_t address);

/* So many pages and rows more, or less, are of that kind. */
void pv_page_rows_table_count(const struct pv_page_rows_table *table,
    struct pv_str kind, int64_t pages, int64_t rows);

/* Which pages have given rows to another worker, later than here, by the fingerprints
 * of their addresses. NULL if none has. */
struct pv_distant_rows *pv_distant_rows_open(struct pv_database *database);
void pv_distant_rows_close(struct pv_distant_rows *rows);
bool pv_distant_rows_have(
    struct pv_distant_rows *rows, struct pv_fingerprint fingerprint);

/* Forgets all of them, and how often fields had no value, for who writes all
 * rows anew. */
void pv_page_rows_forget(struct pv_database *database);

/* Pages that have rows, and these, of each kind that has ever had some. */
typedef void (*pv_row_count_fn)(
    void *ctx, struct pv_str kind, uint64_t pages, uint64_t rows);
void pv_page_rows_each_count(
    struct pv_database *database, pv_row_count_fn on_count, void *ctx);

#endif
