#ifndef PAVANE_API_POLICY_OBJECT_H
#define PAVANE_API_POLICY_OBJECT_H

#include "policy/sources/load.h"

/* What a pavane_policy is inside. */
struct pavane_policy {
	struct pv_policy *policy;
	struct pv_why why;
	char *directory; /* that it suggests; NULL until it was asked */
	char *sentences[2][PV_WHY_PROBLEMS_MAX]; /* of problems, of notes */

	/* What it borrows from, given back when it is destroyed; NULL: nothing
	 * has to be. */
	void *borrowed;
	void (*give_back)(void *borrowed);
};

/* As pavane_policy_load, of sources that only we have. */
struct pavane_policy *pv_policy_object_load(const struct pv_sources *sources);

#endif
