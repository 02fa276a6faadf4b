#ifndef PAVANE_POLICY_CHECKS_SEED_CHECK_H
#define PAVANE_POLICY_CHECKS_SEED_CHECK_H

#include "policy/policy.h"

/* Looks at the hosts where a crawl would begin: addresses that are none, hosts
 * that never.txt or fetch.private forbids, and somebody else's hosts where no
 * contact says who we are. */
void pv_seeds_check(const struct pv_policy *policy, struct pv_why *why);

/* That there are any, in a policy that is in a file: what else is wrong may be
 * the reason that there are none. */
void pv_seeds_expect(
    const struct pv_policy *policy, const char *file, struct pv_why *why);

#endif
