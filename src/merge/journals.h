#ifndef PAVANE_MERGE_JOURNALS_H
#define PAVANE_MERGE_JOURNALS_H

#include "merge/merging.h"

/* The journals of all sources: read once, to know which lines count, and written
 * as one. */

/* Also what workers wrote down of clocks, which is kept as it is. False, with the
 * reason, if something is damaged, or if it was enough. */
bool pv_merge_journals_read(struct pv_merging *merging);

/* When that is settled. */
bool pv_merge_journals_write(struct pv_merging *merging);

#endif
