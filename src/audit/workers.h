#ifndef PAVANE_AUDIT_WORKERS_H
#define PAVANE_AUDIT_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "store/tables/merge_notes.h"

/* Whose lines stand in the journal of a merge, and in which directory each of
 * them worked (store/tables/merge_notes.h). Of a crawl's own directory there are
 * none, and all lines are of one. */
struct pv_audit_workers {
	struct pv_merged_worker *items; /* by their numbers */
	size_t count;
	size_t size;
	bool is_merge;
	bool is_fleet; /* a merge of one: all workers are of it */

	/* The directory of one of its workers: what the others did is not known. */
	bool is_part_of_fleet;
};

void pv_audit_workers_init(
    struct pv_audit_workers *workers, struct pv_database *state);
void pv_audit_workers_finish(struct pv_audit_workers *workers);

/* NULL if it is none of them. */
const struct pv_merged_worker *pv_audit_workers_find(
    const struct pv_audit_workers *workers, int64_t worker);

#endif
