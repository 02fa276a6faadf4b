#ifndef PAVANE_MERGE_MERGING_H
#define PAVANE_MERGE_MERGING_H

#include "audit/clock_memory.h"
#include "merge/lines.h"
#include "merge/merge.h"
#include "merge/source.h"
#include "merge/target.h"
#include "store/tables/merge_notes.h"
#include "store/tables/merged_answers.h"

/* A merge while it is at work: what it reads, what it makes, and what it knows of
 * both. Owned by merge/merge.c; each part that the output is made of
 * (merge/parts.h) is made by a function of its own. */
struct pv_merging {
	const struct pv_merge_options *options;
	struct pv_merge_source *sources;
	size_t count;
	struct pv_merge_target target;
	struct pv_clock_memory clocks;
	struct pv_merge_lines lines;
	struct pv_merged_worker *workers; /* by their numbers, once the journals
					     are read */
	size_t worker_count;
	size_t worker_size;
	struct pv_database *database; /* the state that is made */
	struct pv_merged_state state;
	struct pv_merged_answers answers; /* of a fleet's last round */
	int64_t last_round;               /* of all sources, from 1 */
	struct pv_merge_result *result;
	struct pv_why *why;
};

/* Whether to give up; noted in the result. */
static inline bool pv_merging_is_enough(void *ctx)
{
	struct pv_merging *merging = (struct pv_merging *)ctx;
	const struct pv_merge_options *options = merging->options;
	if (options->is_enough && options->is_enough(options->ctx))
		merging->result->is_cut = true;
	return merging->result->is_cut;
}

/* Whether the lines about an address that stand in a source count: no other source has
 * the last word on it. */
static inline bool pv_merging_is_owner(struct pv_merging *merging,
    const struct pv_merge_source *source, struct pv_str url)
{
	int64_t owner = pv_merge_lines_owner(
	    &merging->lines, pv_fingerprint_of(&merging->state.key, url));
	return !owner || owner == source->state.place;
}

/* Whether the rows of an address that stand in a source count: no other source has
 * read it since. */
static inline bool pv_merging_is_reader(struct pv_merging *merging,
    const struct pv_merge_source *source, struct pv_str url)
{
	int64_t reader = pv_merge_lines_reader(
	    &merging->lines, pv_fingerprint_of(&merging->state.key, url));
	return !reader || reader == source->state.place;
}

#endif
