#ifndef PAVANE_CRAWL_DIRECTORY_H
#define PAVANE_CRAWL_DIRECTORY_H

#include "base/why.h"

/* The crawl's directory, and the policy.yaml in it: what was asked, with every
 * default, by which the crawl can be gone on with. Secrets are left out of
 * it. */
struct pv_crawl;

/* Makes the directory, or looks at the one that is there; with `is_fresh` what
 * a crawl had left there is thrown away. */
bool pv_directory_make(struct pv_crawl *crawl, struct pv_why *why);

/* Writes policy.yaml. Refuses to go on with a policy whose secrets have been
 * left out. */
bool pv_directory_describe(struct pv_crawl *crawl, struct pv_why *why);

#endif
