#ifndef PAVANE_POLICY_CHECKS_CHECK_H
#define PAVANE_POLICY_CHECKS_CHECK_H

#include "base/why.h"
#include "policy/policy.h"

/* What no single value shows: values that contradict each other, hosts that
 * must not be asked, and an owner who could not reach us. */
void pv_policy_check(const struct pv_policy *policy, struct pv_why *why);

#endif
