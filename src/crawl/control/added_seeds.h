#ifndef PAVANE_CRAWL_CONTROL_ADDED_SEEDS_H
#define PAVANE_CRAWL_CONTROL_ADDED_SEEDS_H

#include <stdbool.h>

#include "base/str.h"

/* What a program has added as seeds, noted in the state with the addresses: each
 * start widens the scope by it as by the seeds of the policy, and a changed
 * policy judges it as one of those. */
struct pv_crawl;
struct pv_database;
struct pv_url;

/* In the writer's thread. */
void pv_added_seed_keep(struct pv_database *database, struct pv_str url);

/* From now on it counts as what a person wrote among the seeds. */
void pv_added_seed_widen(struct pv_crawl *crawl, struct pv_url *url);

/* When a crawl is opened: the scope learns what earlier runs have kept, and then
 * the names. */
void pv_added_seeds_restore(struct pv_crawl *crawl);
void pv_added_seeds_name(struct pv_crawl *crawl);

/* Whether that address was added so; before the writer is started. */
bool pv_added_seeds_have(const struct pv_crawl *crawl, struct pv_str url);

#endif
