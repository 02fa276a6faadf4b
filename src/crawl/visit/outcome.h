#ifndef PAVANE_CRAWL_VISIT_OUTCOME_H
#define PAVANE_CRAWL_VISIT_OUTCOME_H

#include "frontier/frontier.h"
#include "policy/policy.h"
#include "record/response.h"
#include "schedule/host_clock.h"

/* What follows from a response: for the host's clock, and for the visit. */

/* How the request ended, as far as politeness is concerned. */
struct pv_visit_end pv_visit_outcome_end(
    const struct pv_response *response, int64_t wall_ms);

/* Whether the visit is done, or is made again, and whether that counts: what
 * was our own fault does not, nor does what its host asked us to wait for, if
 * that comes to an end. */
enum pv_report_kind pv_visit_outcome_kind(const struct pv_response *response,
    const struct pv_visit *visit, const struct pv_fetch_policy *policy);

#endif
