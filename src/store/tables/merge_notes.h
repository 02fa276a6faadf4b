#ifndef PAVANE_STORE_TABLES_MERGE_NOTES_H
#define PAVANE_STORE_TABLES_MERGE_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "store/database.h"

/* What a directory that was made of several crawls (merge/merge.h) keeps of them.
 *
 * The runs of all of them are numbered one after the other: those of the first
 * directory, then those of the second. A line of the journal has its worker, and
 * the run's number in that worker's own directory.
 */

/* How many directories it was made of; 0: it is a crawl's own. */
int64_t pv_merge_notes_count(struct pv_database *database);
void pv_merge_notes_set_count(struct pv_database *database, int64_t count);

/* The runs of a worker's directory come behind so many, and it was the one of
 * that place, from 1. */
struct pv_merged_worker {
	int64_t worker;
	int64_t place;
	int64_t runs_before;
};

void pv_merge_notes_add(
    struct pv_database *database, const struct pv_merged_worker *worker);

/* In the order of their numbers. */
typedef void (*pv_merged_worker_fn)(
    void *ctx, const struct pv_merged_worker *worker);
void pv_merge_notes_each(
    struct pv_database *database, pv_merged_worker_fn on_worker, void *ctx);

#endif
