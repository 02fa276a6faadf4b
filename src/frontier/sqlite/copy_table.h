#ifndef PAVANE_FRONTIER_SQLITE_COPY_TABLE_H
#define PAVANE_FRONTIER_SQLITE_COPY_TABLE_H

#include "record/copy.h"
#include "store/database.h"

/* The rows of copies: what there is of each address that was answered well. An
 * address without a row has no copy. Used on the writer's thread, in its
 * transactions. */
enum { PV_COPY_STATEMENTS = 7 };

struct pv_copy_table {
	struct pv_database *database;
	struct pv_statement *statements[PV_COPY_STATEMENTS];
	struct pv_buf texts; /* of the row that was got last */
};

struct pv_copy_row {
	struct pv_copy copy;
	uint64_t round; /* that last heard of it */
	int64_t fetched_wall_ms;
	int64_t checked_wall_ms; /* that it is, or was, so */
	uint64_t listed_round;   /* when a sitemap said last when it was
				    changed ... */
	int64_t lastmod_wall_ms; /* ... and what it said: the address's own,
				    which is only read here */
	bool has_failed; /* it could not be fetched again, the last time */
	uint16_t heard_status; /* what was answered in its place; 0: nothing,
				    or it is as it was */
};

/* Whether a sitemap of that round says that it has not been changed since its
 * server was asked. Clocks differ, so an hour makes no difference, and what
 * says the day may mean its end, anywhere on earth. */
bool pv_copy_row_is_as_listed(const struct pv_copy_row *row, uint64_t round);

void pv_copy_table_init(
    struct pv_copy_table *table, struct pv_database *database);
void pv_copy_table_finish(struct pv_copy_table *table);

/* False if there is none. Its texts are valid until the next call. */
bool pv_copy_table_get(
    struct pv_copy_table *table, uint64_t address, struct pv_copy_row *row);
/* Before that, where there may be a row: if its file is in the mirror and is to
 * be another one, it is left (store/tables/file_moves.h). */
void pv_copy_table_leave_file(
    struct pv_copy_table *table, uint64_t address, struct pv_str file);

/* A file of it that is to be read once more before there is a row for it:
 * unless the row that there was is of that file, it is left, until it is that
 * of a row. */
void pv_copy_table_leave_other(
    struct pv_copy_table *table, uint64_t address, struct pv_str file);

void pv_copy_table_set(struct pv_copy_table *table, uint64_t address,
    const struct pv_copy_row *row);

/* The address is to be read once more, whether or not it has changed, until
 * that was done. */
void pv_copy_table_set_must_be_read(
    struct pv_copy_table *table, uint64_t address);

/* A sitemap has said in that round when it was changed last; of what there is
 * no copy of, nothing is kept. */
void pv_copy_table_set_listed(
    struct pv_copy_table *table, uint64_t address, uint64_t round);

#endif
