#ifndef PAVANE_POLICY_OVERVIEW_SUMMARY_H
#define PAVANE_POLICY_OVERVIEW_SUMMARY_H

#include "policy/policy.h"

/* Appends in a few lines what a crawl by this policy would do: where it
 * begins, how fast it may be, who it says it is, what it keeps. */
void pv_summary_write(const struct pv_policy *policy, struct pv_buf *buf);

/* Appends what a crawl by this policy would ask for, as far as that is known
 * before anybody is asked: the first addresses, in their order, and which of
 * the links in their answers are followed. */
void pv_outlook_write(const struct pv_policy *policy, struct pv_buf *buf);

/* Appends a line for each ceiling: what the policy sets, with its value and
 * where it comes from, and what is built in. */
void pv_limits_write(const struct pv_policy *policy, struct pv_buf *buf);

#endif
