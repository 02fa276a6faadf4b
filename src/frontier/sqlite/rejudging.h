#ifndef PAVANE_FRONTIER_SQLITE_REJUDGING_H
#define PAVANE_FRONTIER_SQLITE_REJUDGING_H

#include "frontier/sqlite/count_table.h"
#include "store/writer.h"

/* How what is known stands by a policy that has changed: each address is asked
 * about once more, and what waits may be refused, what was refused may wait,
 * and what was answered may be left out of later rounds. */

/* An address as it stood. */
struct pv_known {
	enum pv_address_state state;
	enum pv_reason reason; /* of what is refused */
	struct pv_str url;
	bool was_found;    /* on a page or in a list: a seed was not */
	uint32_t via_hops; /* of where it was found */

	/* It lies as deep as scope.depth let it, and not a seed's own. */
	bool has_common_depth;
};

struct pv_rejudging {
	/* Says in `standing` how it stands now: refused, with the verdict, or
	 * admitted, as what, and from how far. False if nothing has changed
	 * that decides about it. */
	bool (*judge)(void *ctx, const struct pv_known *known,
	    struct pv_standing *standing);
	void *ctx;

	/* What it is asked about: what was refused for one of these reasons
	 * (PV_REASON_COUNT of them, borrowed), or all that is known. */
	const bool *is_open;
	bool is_of_all;

	/* scope.depth, as it was and as it is; PV_DEPTH_MAX for none. What is
	 * left of it at each address is reckoned anew. */
	uint32_t depth_before;
	uint32_t depth_now;

	/* The answer: how many of them ... */
	uint64_t refused;  /* waited, and do not any more */
	uint64_t admitted; /* were refused, and wait now */
	uint64_t left_out; /* were answered, and are out of scope now */
};

/* Judges, which changes nothing yet: how each address is to stand is kept beside
 * it. That counts as soon as the caller's transaction is committed, in which he
 * writes down that the policy has changed; what an end before that has left is
 * judged anew. Both are used before the writer starts, between pv_writer_begin and
 * pv_writer_commit, and may cut (pv_writer_cut), but never behind the last step of
 * this one. */
void pv_rejudging_run(struct pv_rejudging *rejudging,
    struct pv_address_table *addresses, const struct pv_count_table *counts,
    struct pv_writer *writer);

/* Makes addresses stand as was judged, if there is anything left of that: also
 * what an earlier process had no time for. */
void pv_rejudging_finish(const struct pv_frontier *frontier,
    struct pv_address_table *addresses, struct pv_count_table *counts,
    struct pv_writer *writer);

#endif
