#ifndef PAVANE_STORE_TABLES_KEPT_PAGES_H
#define PAVANE_STORE_TABLES_KEPT_PAGES_H

#include "base/str.h"
#include "store/database.h"

/* The pages that are kept, in the order of their numbers, with what is known of
 * them for their rows: for who writes these anew. Neither sitemaps that nobody
 * links to nor what is gone from its server are among them.
 *
 * A row is borrowed: its texts are valid until the next one. Faults are the
 * database's. Used by one thread at a time. */
struct pv_kept_page_row {
	uint64_t id;
	struct pv_str url;
	struct pv_str file;   /* below the crawl's directory */
	struct pv_str digest; /* of the body as it came; or empty */
	struct pv_str carry;  /* that its link brought; or empty */
	unsigned kind;        /* as which links named it (record/standing.h) */
	int64_t fetched_wall_ms; /* when it was asked for */
};

struct pv_kept_page_cursor;

struct pv_kept_page_cursor *pv_kept_page_cursor_open(
    struct pv_database *database);

/* NULL is fine. */
void pv_kept_page_cursor_close(struct pv_kept_page_cursor *cursor);

/* The next one; false after the last. */
bool pv_kept_page_cursor_next(
    struct pv_kept_page_cursor *cursor, struct pv_kept_page_row *row);

/* How many there are; and how many pages were answered well and are not
 * kept. */
uint64_t pv_kept_pages_count(struct pv_database *database);
uint64_t pv_kept_pages_missing(struct pv_database *database);

#endif
