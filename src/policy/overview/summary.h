#ifndef PAVANE_POLICY_OVERVIEW_SUMMARY_H
#define PAVANE_POLICY_OVERVIEW_SUMMARY_H

#include "policy/policy.h"

/* Appends in a few lines what a crawl by this policy would do: where it
 * begins, how fast it may be, who it says it is, what it keeps. */
void pv_summary_write(const struct pv_policy *policy, struct pv_buf *buf);

#endif
