#ifndef PAVANE_CRAWL_ROBOTS_ROBOTS_STORE_H
#define PAVANE_CRAWL_ROBOTS_ROBOTS_STORE_H

#include "crawl/robots/authority.h"
#include "store/tables/robots_table.h"

/* What is known of robots.txt, kept in state.db by authority, so that it counts
 * over runs: the last good copy, until when it does, and for how long none
 * could be fetched.
 *
 * Times are those of the wall clock; one that was set meanwhile makes nothing
 * last longer than it would have. A copy that is too old is kept until there is
 * another. Where an answer stays valid since no other can be fetched
 * (robots_validity.h), its state has failures.
 */
struct pv_crawl;

/* Looks for what is known of the authority, which is not forgotten meanwhile;
 * `then` is called once it knows. */
typedef void (*pv_robots_found_fn)(
    struct pv_crawl *crawl, struct pv_authority *authority);
void pv_robots_store_find(struct pv_crawl *crawl,
    struct pv_authority *authority, pv_robots_found_fn then);

#endif
