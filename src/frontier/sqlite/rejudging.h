#ifndef PAVANE_FRONTIER_SQLITE_REJUDGING_H
#define PAVANE_FRONTIER_SQLITE_REJUDGING_H

#include "frontier/plans.h"
#include "frontier/frontier.h"
#include "frontier/sqlite/address_table.h"
#include "frontier/sqlite/carry_table.h"
#include "frontier/sqlite/count_table.h"
#include "store/writer.h"

/* How a rejudgement (frontier/plans.h) is carried out. */

/* Judges, which changes nothing yet: how each address is to stand is kept
 * beside it. That counts as soon as the caller's transaction is committed, in
 * which he writes down that the policy has changed; what an end before that has
 * left is judged anew. Both are used before the writer starts, between
 * pv_writer_begin and pv_writer_commit, and may cut (pv_writer_cut), but never
 * behind the last step of this one. */
void pv_rejudging_run(struct pv_rejudging *rejudging,
    struct pv_address_table *addresses, const struct pv_count_table *counts,
    struct pv_writer *writer);

/* Judges one address: false if it stays as it was. */
bool pv_rejudging_judge(struct pv_rejudging *rejudging, struct pv_known *known,
    struct pv_address_row *row);

/* An address is refused now that was not before: the frontier's owner hears. */
void pv_rejudging_tell_refused(const struct pv_frontier *frontier,
    struct pv_address_table *addresses, uint64_t id);

/* What is changed then, and who hears of it. */
struct pv_rejudged {
	const struct pv_frontier *frontier;
	struct pv_address_table *addresses;
	struct pv_carry_table *carries;
	struct pv_count_table *counts;
};

/* Makes addresses stand as was judged, if there is anything left of that: also
 * what an earlier process had no time for. */
void pv_rejudging_finish(
    const struct pv_rejudged *rejudged, struct pv_writer *writer);

#endif
