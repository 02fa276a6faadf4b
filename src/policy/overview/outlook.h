#ifndef PAVANE_POLICY_OVERVIEW_OUTLOOK_H
#define PAVANE_POLICY_OVERVIEW_OUTLOOK_H

#include "policy/policy.h"

/* Appends what a crawl by this policy would ask for, as far as that is known
 * before anybody is asked: the first addresses, in their order, and which of the
 * links in their answers are followed. */
void pv_outlook_write(const struct pv_policy *policy, struct pv_buf *buf);

#endif
