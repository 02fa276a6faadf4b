#ifndef PAVANE_POLICY_SOURCES_OVERLAY_H
#define PAVANE_POLICY_SOURCES_OVERLAY_H

#include "policy/policy.h"

/* A policy with some other values, for a crawl that has been told so while it
 * runs (`pavane set`). Only single keys can be set, those whose rows say so
 * (PV_MAY_BE_SET): values by which nothing that is known has to be judged
 * again.
 *
 * All else is the same policy's, which outlives it.
 */
struct pv_set_value {
	struct pv_str key;
	struct pv_str value; /* as YAML */
};

/* Whether that key may be; if not, a problem says why. */
bool pv_overlay_may_set(struct pv_str key, struct pv_why *why);

/* It is complete if `why` has no problems, and else good for nothing but to be
 * destroyed. */
struct pv_policy *pv_overlay_create(const struct pv_policy *base,
    const struct pv_set_value *values, size_t count, struct pv_why *why);

/* How many entries of the policy's domains have a value of their own for that
 * key, which holds whatever is set. */
size_t pv_overlay_exceptions(const struct pv_policy *base, struct pv_str key);

/* Of an overlay alone. NULL is fine. */
void pv_overlay_destroy(struct pv_policy *overlay);

#endif
