#ifndef PAVANE_STORE_SERVICE_FETCH_ROWS_H
#define PAVANE_STORE_SERVICE_FETCH_ROWS_H

#include "base/buf.h"
#include "store/database.h"

/* The rows that pages of profiles' crawls give now, in fetches.db, and how far the
 * files of rows were read: a crawl writes rows once, and none again while a page
 * gives the same.
 *
 * All functions are parts of a transaction. Faults are the database's. For one
 * thread at a time. */
#define PV_FETCH_ROWS_STATEMENTS 6

struct pv_fetch_rows {
	struct pv_statement *statements[PV_FETCH_ROWS_STATEMENTS];
};

void pv_fetch_rows_init(
    struct pv_fetch_rows *rows, struct pv_database *database);
void pv_fetch_rows_finish(struct pv_fetch_rows *rows);

/* A row of a page, by its number among those of its kind. */
struct pv_fetch_row {
	struct pv_str profile;
	struct pv_str url;
	struct pv_str file; /* that it stands in */
	int64_t item;
	struct pv_str line; /* without its end */
};

/* It takes the place of that with its number; or there is none any more. */
void pv_fetch_rows_set(
    const struct pv_fetch_rows *rows, const struct pv_fetch_row *row);
void pv_fetch_rows_remove(
    const struct pv_fetch_rows *rows, const struct pv_fetch_row *row);

/* Appends the rows of a page as a JSON array, as they stand in their files; if
 * that takes more than so many bytes, {"count":N,"bytes":N} instead. Nothing if
 * there are none. */
void pv_fetch_rows_write(const struct pv_fetch_rows *rows,
    struct pv_str profile, struct pv_str url, size_t most, struct pv_buf *json);

/* Appends them, a line each. */
void pv_fetch_rows_write_lines(const struct pv_fetch_rows *rows,
    struct pv_str profile, struct pv_str url, struct pv_buf *lines);

/* How much of a file of a profile's crawl was read. */
uint64_t pv_fetch_rows_get_offset(const struct pv_fetch_rows *rows,
    struct pv_str profile, struct pv_str file);
void pv_fetch_rows_set_offset(const struct pv_fetch_rows *rows,
    struct pv_str profile, struct pv_str file, uint64_t offset);

#endif
