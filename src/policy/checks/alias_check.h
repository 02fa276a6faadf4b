#ifndef PAVANE_POLICY_CHECKS_ALIAS_CHECK_H
#define PAVANE_POLICY_CHECKS_ALIAS_CHECK_H

#include "base/why.h"

/* What no single alias shows: that one leads to another, or all of them in a
 * circle; and noted, that an entry of the domain table is for an alias. */
struct pv_policy;

void pv_aliases_check(const struct pv_policy *policy, struct pv_why *why);

#endif
