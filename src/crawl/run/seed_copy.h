#ifndef PAVANE_CRAWL_RUN_SEED_COPY_H
#define PAVANE_CRAWL_RUN_SEED_COPY_H

#include <stdbool.h>

#include "base/why.h"
#include "policy/policy.h"

/* The addresses that the policy read from the standard input
 * (policy/sources/seed_input.h), copied into the crawl's directory: each start
 * walks the seeds again, and no later one has that input.
 *
 * An empty input leaves the copy of an earlier run as it is, so that a run that
 * is started without a terminal, as by cron, continues with it. The file is
 * readable by its owner alone, since addresses may have passwords. */

struct pv_crawl;

struct pv_seed_copy {
	struct pv_policy policy; /* the crawl's, if there is a copy */
	struct pv_arena arena;
};

/* Copies them, and puts a policy whose seed is the copy in the place of the
 * crawl's, if one of its seeds is the standard input. False, with the reason,
 * if that cannot be done. */
bool pv_seed_copy_open(struct pv_crawl *crawl, struct pv_why *why);
void pv_seed_copy_close(struct pv_crawl *crawl);

#endif
