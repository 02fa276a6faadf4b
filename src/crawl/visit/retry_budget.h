#ifndef PAVANE_CRAWL_VISIT_RETRY_BUDGET_H
#define PAVANE_CRAWL_VISIT_RETRY_BUDGET_H

#include <stdbool.h>

/* How often a host may be asked once more for what failed: fetch.host_retries
 * more often than a tenth of its good answers, so that one where everything
 * fails is not asked retries + 1 times for each of its pages, and one that
 * answers well gets its tries back.
 *
 * What is counted is a debt, in tenths of a try: ten for each, one less for
 * each good answer. It is kept with the host in the transaction of the outcome
 * that made it, so that no end of the process gives a try away, and an update
 * begins anew. Our own faults cost nothing, nor does a robots.txt, which has
 * rules of its own; what a host puts off with a Retry-After does so from the
 * second time on for the same address.
 */
struct pv_findings;
struct pv_flight;

/* Beside the debt, which is in the host's state. */
struct pv_retry_budget {
	bool is_told; /* that nothing is left of it */
};

/* Asks the host's budget for what its visit is to become; false if nothing is
 * left for that, of which the log says so the first time. */
bool pv_retry_budget_charge(const struct pv_flight *flight);

/* Says in the journal's line that this was why. */
void pv_retry_budget_remark(struct pv_findings *findings);

#endif
