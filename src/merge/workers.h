#ifndef PAVANE_MERGE_WORKERS_H
#define PAVANE_MERGE_WORKERS_H

#include "merge/merging.h"

/* Of which worker each line of a merge is.
 *
 * Where a fleet's worker made a request, the line has its number. The line of an
 * address that was left out has none: it is of the worker that the line before it
 * in the same journal names, or else the first one behind it, or else of the one
 * that its directory was last. A directory that was in no fleet counts as one
 * worker: its number is its place, or the next one that nobody else has.
 *
 * No two directories of a fleet share a number, but for copies of one, which are
 * refused. So the order of the directories says nothing.
 */

/* When all clocks are known: finds of which worker the first line of each source
 * is, as far as it was in a fleet: these are to be read first. */
void pv_merge_workers_begin(struct pv_merging *merging);

/* The next line of a source names that worker, or none, which is -1: now the
 * source has its number. False, with the reason, if another source has lines of
 * that worker. */
bool pv_merge_workers_hear(
    struct pv_merging *merging, struct pv_merge_source *source, int64_t named);

#endif
