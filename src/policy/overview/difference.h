#ifndef PAVANE_POLICY_OVERVIEW_DIFFERENCE_H
#define PAVANE_POLICY_OVERVIEW_DIFFERENCE_H

#include "policy/option.h"
#include "policy/policy.h"

/* What one policy says otherwise than another, key by key, in the order of the
 * options table. Where a value was written, and by whom, makes no
 * difference. */
struct pv_difference {
	const struct pv_option *option;

	/* As a policy has them. Empty where they are no word for a line of a
	 * log: lists, and what is said in confidence. */
	struct pv_str before;
	struct pv_str after;
};

typedef void (*pv_difference_fn)(
    void *ctx, const struct pv_difference *difference);

void pv_policy_compare(const struct pv_policy *before,
    const struct pv_policy *after, pv_difference_fn on_difference, void *ctx);

#endif
