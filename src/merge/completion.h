#ifndef PAVANE_MERGE_COMPLETION_H
#define PAVANE_MERGE_COMPLETION_H

#include "merge/merging.h"

/* Whether the crawl of a fleet is finished, as far as its directories tell.
 *
 * It is if all of them together have nothing left, and one of its workers has come
 * to its end in the last round, which none does before the whole fleet has nothing
 * left. Then each address has one final line, as in the journal of a single crawl.
 * A worker that was killed before that end has written none for what it had left
 * out: those lines become final in the merge. Parts of a crawl that are no fleet's
 * come to their ends each by itself, with their final lines.
 */

/* When the state is made, and before the journal is written: also notes what is
 * left. */
void pv_merge_completion_judge(struct pv_merging *merging);

#endif
