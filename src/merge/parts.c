#include "merge/parts.h"

#include "merge/journals.h"
#include "store/tables/length.h"

static bool merge_rows(struct pv_merging *merging)
{
	return pv_merge_row_files(merging) && pv_merge_row_tables(merging);
}

const struct pv_merge_part pv_merge_parts[] = {
    {&pv_sink_journal, pv_merge_journals_write},
    {&pv_sink_changes, pv_merge_changes},
    {&pv_sink_fields, merge_rows},
    {&pv_sink_mirror, pv_merge_mirrors},
};

const size_t pv_merge_part_count =
    sizeof(pv_merge_parts) / sizeof(*pv_merge_parts);

/* What a program has had committed of its own (pavane/sink.h). */

struct naming {
	struct pv_merging *merging;
	const struct pv_merge_source *source;
};

static bool is_ours(struct pv_str file)
{
	uint64_t generation;
	return pv_journal_name_read(file, &generation) ||
	       pv_str_equal(file, PV_STR("changes.jsonl")) ||
	       pv_str_starts(file, PV_STR("fields/")) ||
	       pv_str_starts(file, PV_STR("outbound/"));
}

static bool name_foreign(void *ctx, struct pv_str file, uint64_t length)
{
	const struct naming *naming = ctx;
	if (length && !is_ours(file))
		pv_why_note(naming->merging->why,
		    (struct pv_place){.file = naming->source->directory},
		    PV_STR(""),
		    "%.*s is not in the merge: only the program that wrote it "
		    "knows how to merge it",
		    PV_STR_ARG(file));
	return true;
}

static void name_foreign_files(struct pv_merging *merging)
{
	for (size_t i = 0; i < merging->count; i++) {
		struct naming naming = {merging, &merging->sources[i]};
		pv_lengths_each(naming.source->state.look, PV_STR(""),
		    name_foreign, &naming);
	}
}

bool pv_merge_parts_make(struct pv_merging *merging)
{
	for (size_t i = 0; i < pv_merge_part_count; i++) {
		if (!pv_merge_parts[i].merge(merging))
			return false;
	}
	name_foreign_files(merging);
	return true;
}
