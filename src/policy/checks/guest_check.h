#ifndef PAVANE_POLICY_CHECKS_GUEST_CHECK_H
#define PAVANE_POLICY_CHECKS_GUEST_CHECK_H

#include "base/why.h"
#include "policy/policy.h"

/* What a stranger may ask for who hands in a policy (policy/option.h, by_guest):
 * the keys that are the owner's were refused when it was read; here, no value may
 * be laxer than the owner's. In the domain table it is what the owner's policy
 * says of that host, or of the hosts below it. Ranges of addresses are the
 * owner's. The policy notes whether it asks for too much. */
void pv_guest_check(struct pv_policy *policy, const struct pv_policy *owner,
    struct pv_why *why);

#endif
