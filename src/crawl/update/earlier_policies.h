#ifndef PAVANE_CRAWL_UPDATE_EARLIER_POLICIES_H
#define PAVANE_CRAWL_UPDATE_EARLIER_POLICIES_H

#include "crawl/update/rejudge.h"

/* Policies that the crawl of a fleet had before today's, by their numbers there:
 * what other workers have judged by them is judged again when it is loaded. */
struct pv_earlier_policies {
	struct pv_earlier_policy *items; /* the newest first */
	size_t count;
	size_t size;
	struct pv_earlier_policy *unknown; /* any other */
};

/* One of them, as text. */
void pv_earlier_policies_add(
    struct pv_crawl *crawl, uint64_t number, struct pv_str text);

/* What has changed since; NULL: nothing that decides. It is the crawl's, and used
 * on the writer's thread alone. */
struct pv_rejudging *pv_earlier_policies_since(
    struct pv_crawl *crawl, uint64_t number);

void pv_earlier_policies_finish(struct pv_earlier_policies *policies);

#endif
