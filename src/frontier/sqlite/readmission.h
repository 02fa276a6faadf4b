#ifndef PAVANE_FRONTIER_SQLITE_READMISSION_H
#define PAVANE_FRONTIER_SQLITE_READMISSION_H

#include "frontier/plans.h"
#include "frontier/sqlite/tables.h"

/* What was refused, judged again while the crawl runs: the scope has become wider
 * (frontier/plans.h has the judge, which must allow any thread). What it admits now
 * is to be visited by the owner of its host.
 *
 * It goes step by step, in the order of the addresses' numbers, and each step is
 * short, so that the writer's other work goes on between them. All functions are
 * called on the writer's thread.
 */
struct pv_readmission {
	struct pv_rejudging rejudging; /* what is open; and how many */
	uint64_t after;                /* the last that was looked at */
};

/* One step; false if it has looked at the last that there is now. */
bool pv_readmission_step(
    struct pv_readmission *readmission, struct pv_tables *tables);

/* Whether a row that is refused is to be visited after all: then it is changed so.
 * `known` has all but its state and its reason. */
bool pv_readmission_judge(struct pv_rejudging *rejudging,
    struct pv_known *known, struct pv_address_row *row);

#endif
