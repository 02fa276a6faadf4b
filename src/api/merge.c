#include "merge/merge.h"

#include "api/problems.h"
#include "api/sized.h"
#include "pavane/pavane.h"

bool pavane_merge(
    const struct pavane_merge_options *given, struct pavane_merged *merged)
{
	struct pavane_merge_options own, *options = &own;
	struct pv_merge_result result = {.is_cut = false};
	struct pv_why why;
	if (!pv_sized_read(options, sizeof(own), given))
		return false;
	pv_why_init(&why);
	const struct pv_merge_options merge = {
	    .output = options->output,
	    .directories = options->directories,
	    .count = options->directory_count,
	    .is_enough = options->is_enough,
	    .ctx = options->ctx,
	};
	bool is_made = pv_merge_run(&merge, &result, &why);
	pv_notes_tell(&why, options->on_line, options->ctx);
	pv_problems_tell(&why, options->on_line, options->ctx);
	const struct pavane_merged all = {
	    .lines = result.lines,
	    .stale = result.stale,
	    .files = result.files,
	    .is_cut = result.is_cut,
	};
	pv_sized_write(merged, &all, sizeof(all));
	pv_why_finish(&why);
	return is_made;
}
