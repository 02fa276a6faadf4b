#ifndef PAVANE_POLICY_OVERVIEW_LIMITS_H
#define PAVANE_POLICY_OVERVIEW_LIMITS_H

#include "policy/policy.h"

/* Appends a line for each ceiling: what the policy sets, with its value and
 * where it comes from, and what is built in. */
void pv_limits_write(const struct pv_policy *policy, struct pv_buf *buf);

#endif
