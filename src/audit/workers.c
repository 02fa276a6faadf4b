#include "audit/workers.h"

#include <stdlib.h>

#include "base/array.h"
#include "store/tables/note.h"

static void add(void *ctx, const struct pv_merged_worker *worker)
{
	struct pv_audit_workers *workers = ctx;
	*PV_ARRAY_PUSH(workers->items, workers->count, workers->size) = *worker;
}

void pv_audit_workers_init(
    struct pv_audit_workers *workers, struct pv_database *state)
{
	*workers = (struct pv_audit_workers){
	    .is_merge = pv_merge_notes_count(state) > 0};
	bool is_of_fleet = pv_note_get(state, PV_NOTE_FLEET_CRAWL, 0) != 0;
	workers->is_fleet = workers->is_merge && is_of_fleet;
	workers->is_part_of_fleet = !workers->is_merge && is_of_fleet;
	if (workers->is_merge)
		pv_merge_notes_each(state, add, workers);
}

void pv_audit_workers_finish(struct pv_audit_workers *workers)
{
	free(workers->items);
}

static int compare(const void *key, const void *item)
{
	const int64_t *worker = key;
	const struct pv_merged_worker *other = item;
	return (*worker > other->worker) - (*worker < other->worker);
}

const struct pv_merged_worker *pv_audit_workers_find(
    const struct pv_audit_workers *workers, int64_t worker)
{
	return workers->count ? bsearch(&worker, workers->items, workers->count,
				    sizeof(*workers->items), compare)
			      : NULL;
}
