#ifndef PAVANE_CRAWL_RUN_RELINK_H
#define PAVANE_CRAWL_RUN_RELINK_H

#include "mirror/links/relinking.h"

/* Links the documents of a mirror to one another where no crawl runs: after one
 * was killed, or files were removed. */
struct pv_policy;

struct pv_relink {
	const char *directory;
	const struct pv_policy *policy; /* of that crawl */
	bool (*is_enough)(void *ctx);   /* as in the plan of relinking */
	void *ctx;
};

/* False, with the reason, if it cannot be done: somebody crawls there, or there
 * is no mirror. */
bool pv_relink_run(const struct pv_relink *relink, struct pv_relinking *result,
    struct pv_why *why);

#endif
