#ifndef PAVANE_POLICY_CHECKS_PAGES_CHECK_H
#define PAVANE_POLICY_CHECKS_PAGES_CHECK_H

#include "policy/policy.h"

/* Looks at the kinds of pages: that seeds name kinds that there are, and that
 * the files and tables of their rows can have the names that they would get. */
void pv_pages_check(const struct pv_policy *policy, struct pv_why *why);

#endif
