#include "merge/workers.h"

#include <stdlib.h>

#include "audit/entry.h"
#include "audit/journal.h"
#include "base/array.h"
#include "record/journal_name.h"

/* Numbers that are known */

static int compare_workers(const void *a, const void *b)
{
	const struct pv_merged_worker *one = a, *other = b;
	return (one->worker > other->worker) - (one->worker < other->worker);
}

static struct pv_merged_worker *find_worker(
    const struct pv_merging *merging, int64_t worker)
{
	const struct pv_merged_worker key = {.worker = worker};
	return merging->worker_count
		   ? bsearch(&key, merging->workers, merging->worker_count,
			 sizeof(key), compare_workers)
		   : NULL;
}

static bool add_worker(struct pv_merging *merging,
    const struct pv_merge_source *source, int64_t worker)
{
	const struct pv_merged_worker *known = find_worker(merging, worker);
	if (known && known->place == source->state.place)
		return true;
	if (known) {
		pv_why_add(merging->why,
		    (struct pv_place){.file = source->directory}, PV_STR(""),
		    "has lines of worker %lld, as %s has: they cannot be told "
		    "apart in one journal",
		    (long long)worker,
		    merging->sources[known->place - 1].directory);
		return false;
	}
	*PV_ARRAY_PUSH(merging->workers, merging->worker_count,
	    merging->worker_size) = (struct pv_merged_worker){
	    worker, source->state.place, source->state.runs_before};
	qsort(merging->workers, merging->worker_count,
	    sizeof(*merging->workers), compare_workers);
	return true;
}

/* Before the first line */

static bool on_line(
    void *ctx, int64_t number, struct pv_str line, struct pv_why *why)
{
	struct pv_merge_source *source = ctx;
	struct pv_audit_entry entry;
	(void)number;
	(void)why;
	if (!pv_audit_entry_read(&entry, line))
		return false;
	source->worker = entry.worker;
	pv_audit_entry_finish(&entry);
	return source->worker < 0;
}

/* What is wrong with the journal is said when all of it is read. */
static void find_first(struct pv_merge_source *source)
{
	struct pv_why unsaid;
	bool goes_on = true;
	pv_why_init(&unsaid);
	for (size_t i = 0; goes_on && i < source->journal.count; i++) {
		const struct pv_audit_part *part = &source->journal.items[i];
		struct pv_buf path;
		char name[PV_JOURNAL_NAME_MAX];
		pv_journal_name_write(part->generation, name);
		pv_merge_path(source->directory, name, &path);
		goes_on = pv_audit_journal_read(
		    pv_buf_text(&path), part->length, on_line, source, &unsaid);
		pv_buf_finish(&path);
	}
	pv_why_finish(&unsaid);
}

void pv_merge_workers_begin(struct pv_merging *merging)
{
	for (size_t i = 0; i < merging->count; i++) {
		struct pv_merge_source *source = &merging->sources[i];
		source->worker = -1;
		if (source->fleet_crawl)
			find_first(source);
		if (source->worker < 0 && source->fleet_worker)
			source->worker = source->fleet_worker;
	}
}

/* Line by line */

static int64_t free_number(
    struct pv_merging *merging, const struct pv_merge_source *source)
{
	int64_t number = source->state.place;
	while (find_worker(merging, number) ||
	       pv_clock_memory_knows(&merging->clocks, number))
		number++;
	return number;
}

bool pv_merge_workers_hear(
    struct pv_merging *merging, struct pv_merge_source *source, int64_t named)
{
	if (named >= 0)
		source->worker = named;
	else if (source->worker < 0)
		source->worker = free_number(merging, source);
	return add_worker(merging, source, source->worker);
}
