#ifndef PAVANE_MERGE_PARTS_H
#define PAVANE_MERGE_PARTS_H

#include "merge/merging.h"
#include "sink/sink.h"

/* How what each kind of sink writes becomes one: another kind that writes files
 * is another row. Each is made when it is settled which source counts for an
 * address, and before the state is committed. */
struct pv_merge_part {
	const struct pv_sink_kind *kind;
	bool (*merge)(struct pv_merging *merging);
};

extern const struct pv_merge_part pv_merge_parts[];
extern const size_t pv_merge_part_count;

/* False, with the reason, if one cannot be made. */
bool pv_merge_parts_make(struct pv_merging *merging);

/* The lines of reports of changes, one source after the other. */
bool pv_merge_changes(struct pv_merging *merging);

/* Rows of pages: merge/row_files.c, merge/row_tables.c. */
bool pv_merge_row_files(struct pv_merging *merging);
bool pv_merge_row_tables(struct pv_merging *merging);

/* The files of mirrors. */
bool pv_merge_mirrors(struct pv_merging *merging);

#endif
