#ifndef PAVANE_EXPLAIN_NAMED_SEEDS_H
#define PAVANE_EXPLAIN_NAMED_SEEDS_H

#include <stdbool.h>

/* What a person named among the seeds, for who asks about one address only and
 * does not walk through all of them to begin with, as a crawl does. */
struct pv_policy;
struct pv_url;

struct pv_named_seeds {
	bool has_host;      /* which may lie on a private network, then */
	bool has_authority; /* to which secrets may go, then */
};

struct pv_named_seeds pv_named_seeds_find(
    const struct pv_policy *policy, const struct pv_url *url);

#endif
