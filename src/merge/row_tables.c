#include "merge/parts.h"

#include <unistd.h>

#include "base/file.h"
#include "fields/output/layout.h"
#include "store/rows_copy.h"
#include "store/tables/note.h"

#define COMMIT_NOTE PV_STR(PV_FIELDS_COMMIT_NOTE)

struct copying {
	struct pv_merging *merging;
	const struct pv_merge_source *source;
};

static bool number_page(void *ctx, int64_t page, uint64_t *number)
{
	const struct copying *copying = ctx;
	int64_t address;
	bool is_own = pv_merged_state_page(
	    &copying->merging->state, &copying->source->state, page, &address);
	*number = (uint64_t)address;
	return is_own;
}

static bool copy(struct pv_merging *merging,
    const struct pv_merge_source *source, struct pv_rows_database *rows,
    const struct pv_fields_layout *layout)
{
	struct copying copying = {merging, source};
	struct pv_rows_copy work = {
	    .rows = rows,
	    .tables = layout->tables,
	    .count = layout->table_count,
	    .number = pv_note_get(source->state.look, COMMIT_NOTE, 0),
	    .page = number_page,
	    .ctx = &copying,
	};
	struct pv_buf path;
	if (!work.number)
		return true;
	pv_merge_path(source->directory, PV_FIELDS_DATABASE, &path);
	bool is_copied =
	    pv_rows_copy_run(&work, pv_buf_text(&path), merging->why);
	pv_buf_finish(&path);
	return is_copied;
}

static bool commit(struct pv_merging *merging, struct pv_rows_database *rows)
{
	int64_t number = pv_rows_database_commit(rows);
	pv_note_set(merging->database, COMMIT_NOTE, number);
	if (pv_rows_database_status(rows) == PV_STORE_OK)
		return true;
	pv_why_add(merging->why,
	    (struct pv_place){.file = pv_buf_text(&merging->target.directory)},
	    PV_STR(""), "cannot write %s: %s", PV_FIELDS_DATABASE,
	    pv_rows_database_fault(rows));
	return false;
}

static bool copy_all(
    struct pv_merging *merging, const struct pv_fields_layout *layout)
{
	struct pv_buf path;
	pv_merge_path(pv_buf_text(&merging->target.directory),
	    PV_FIELDS_DIRECTORY, &path);
	bool is_copied = pv_file_make_directory(pv_buf_text(&path), 0777);
	pv_buf_finish(&path);
	pv_merge_path(
	    pv_buf_text(&merging->target.directory), PV_FIELDS_DATABASE, &path);
	struct pv_rows_database *rows =
	    is_copied ? pv_rows_database_open(pv_buf_text(&path),
			    layout->tables, layout->table_count, merging->why)
		      : NULL;
	is_copied = rows != NULL;
	for (size_t i = 0; is_copied && i < merging->count; i++)
		is_copied = copy(merging, &merging->sources[i], rows, layout);
	is_copied = is_copied && commit(merging, rows);
	pv_rows_database_close(rows);
	pv_buf_finish(&path);
	return is_copied;
}

bool pv_merge_row_tables(struct pv_merging *merging)
{
	const struct pv_policy *policy = merging->sources[0].policy;
	struct pv_fields_layout layout;
	if (!policy->pages.count)
		return true;
	pv_fields_layout_init(&layout, policy);
	bool is_copied = !layout.table_count || copy_all(merging, &layout);
	pv_fields_layout_finish(&layout);
	return is_copied;
}
