#ifndef PAVANE_STORE_ROWS_COPY_H
#define PAVANE_STORE_ROWS_COPY_H

#include "store/rows_database.h"

/* Rows of one file of rows (store/rows_database.h), copied into another one that
 * has the same tables: those that hold as of a commit. */
struct pv_rows_copy {
	struct pv_rows_database *rows; /* where they go */
	const struct pv_rows_table *tables;
	size_t count;
	int64_t number; /* of the commit, as the state has it */

	/* The page's number there; false: its rows are left out. */
	bool (*page)(void *ctx, int64_t page, uint64_t *number);
	void *ctx;
	uint64_t copied; /* rows, without records within */
};

/* False, with the reason, if they cannot be read; faults of writing are those of
 * the database that is written. */
bool pv_rows_copy_run(
    struct pv_rows_copy *copy, const char *path, struct pv_why *why);

#endif
