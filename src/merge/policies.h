#ifndef PAVANE_MERGE_POLICIES_H
#define PAVANE_MERGE_POLICIES_H

#include "merge/source.h"

/* Whether the policies of two directories let them be merged.
 *
 * Parts of a crawl that do not know each other must have gone by one policy, but
 * for its seeds. The policy of a fleet may change while its crawl goes on, and a
 * worker that was not there then has the one before: as each run's policy is in
 * the state, and an audit judges each request by that of its run, workers may
 * differ in all but a few keys.
 */

/* False, with each key that does not let them and what to do; other keys that
 * differ are noted. */
bool pv_merge_policies_fit(const struct pv_merge_source *source,
    const struct pv_merge_source *first, struct pv_why *why);

#endif
