#ifndef PAVANE_MIRROR_LOOKUP_CIRCLES_H
#define PAVANE_MIRROR_LOOKUP_CIRCLES_H

#include "mirror/lookup/fate.h"

/* Redirects that lead on and on, and never to an end.
 *
 * Of one address that is found by following it. To find all of them, where each
 * leads is read once, in the order in which it stands there, and gone through
 * in memory, 24 bytes each; that takes a second for a million, so of a crawl
 * that has met more of them none is found.
 */

/* Turns to where an address was redirected to, as far as it is known: `at` is
 * the end, which is unseen where nobody knows. False if there is no end. */
bool pv_circles_follow(
    struct pv_fates *fates, const struct pv_fate *from, struct pv_fate *at);

struct pv_circles {
	uint64_t *ids; /* of addresses that may be redirected so, for they were
			  once; in no order */
	size_t count;
	size_t size;
	bool has_too_many; /* redirects: there may be others */
};

void pv_circles_find(struct pv_circles *circles, struct pv_fates *fates);
void pv_circles_finish(struct pv_circles *circles);

#endif
