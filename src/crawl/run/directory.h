#ifndef PAVANE_CRAWL_RUN_DIRECTORY_H
#define PAVANE_CRAWL_RUN_DIRECTORY_H

#include "base/buf.h"
#include "base/why.h"

/* The crawl's directory, and the policy.yaml in it: what was asked, with every
 * default, by which the crawl can be gone on with. Secrets are left out of
 * it. */
struct pv_crawl;
struct pv_policy;

/* Makes the directory, or looks at the one that is there; with `is_fresh` what
 * a crawl had left there is thrown away; so it is where that was begun, and the
 * process ended in the midst of it. */
bool pv_directory_make(struct pv_crawl *crawl, struct pv_why *why);

/* Removes the directory, if this start has made it and put nothing into it but the
 * lock, which it holds. */
void pv_directory_unmake(const struct pv_crawl *crawl);

/* The whole policy, without what it says in confidence. */
struct pv_buf pv_directory_policy_text(
    const struct pv_crawl *crawl, const struct pv_policy *policy);

/* False, with the reason, for a policy whose secrets have been left out. */
bool pv_directory_has_secrets(struct pv_crawl *crawl, struct pv_why *why);

/* Writes policy.yaml, and secrets where there are any; false, with the reason,
 * if that cannot be done, or one of them is a symbolic link. */
bool pv_directory_describe(struct pv_crawl *crawl, struct pv_why *why);

#endif
