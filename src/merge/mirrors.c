#include "merge/parts.h"

#include "store/tables/state_files.h"

/* The files of several mirrors side by side. Copies, since a mirror writes over
 * its own files when its links are written anew. */

struct copying {
	struct pv_merging *merging;
	const struct pv_merge_source *source;
};

static bool refuse(const struct copying *copying,
    const struct pv_state_file_row *row, int64_t owner)
{
	const struct pv_merging *merging = copying->merging;
	pv_why_add(merging->why,
	    (struct pv_place){.file = copying->source->directory}, PV_STR(""),
	    "has the file %.*s of %.*s, and %s has a file of that name "
	    "for another address: mirrors can be merged only if none has "
	    "files of the same hosts as another",
	    PV_STR_ARG(row->file), PV_STR_ARG(row->url),
	    merging->sources[owner - 1].directory);
	return false;
}

static bool copy_file(
    const struct copying *copying, const struct pv_state_file_row *row)
{
	struct pv_merging *merging = copying->merging;
	int64_t place = copying->source->state.place;
	int64_t address;
	struct pv_buf name;
	if (!pv_merged_state_address(&merging->state, &copying->source->state,
		(int64_t)row->address, &address))
		return true;
	int64_t owner = pv_merge_lines_claim(&merging->lines, row->file, place);
	/* Addresses of one crawl may share a file. */
	if (owner == place)
		return true;
	if (owner)
		return refuse(copying, row, owner);
	pv_buf_init(&name, SIZE_MAX);
	pv_buf_append(&name, row->file);
	bool is_copied = pv_merge_target_copy(&merging->target,
	    copying->source->directory, pv_buf_text(&name), merging->why);
	pv_buf_finish(&name);
	merging->result->files += is_copied;
	return is_copied;
}

static bool copy_source(const struct copying *copying)
{
	struct pv_state_file_row row;
	bool is_copied = true;
	struct pv_file_cursor *cursor =
	    pv_file_cursor_open(copying->source->state.look, PV_FILES_KEPT, 0);
	while (is_copied && pv_file_cursor_next(cursor, &row))
		is_copied = copy_file(copying, &row) &&
			    !pv_merging_is_enough(copying->merging);
	pv_file_cursor_close(cursor);
	return is_copied;
}

bool pv_merge_mirrors(struct pv_merging *merging)
{
	if (!merging->sources[0].policy->output.has_mirror)
		return true;
	for (size_t i = 0; i < merging->count; i++) {
		struct copying copying = {merging, &merging->sources[i]};
		if (!copy_source(&copying))
			return false;
	}
	return true;
}
