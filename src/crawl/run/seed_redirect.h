#ifndef PAVANE_CRAWL_RUN_SEED_REDIRECT_H
#define PAVANE_CRAWL_RUN_SEED_REDIRECT_H

#include <stdbool.h>

#include "base/str.h"

/* Where seeds were redirected to: what counts as in scope for that does so in
 * later runs as well, so it is noted with the visit that was redirected. */
struct pv_crawl;
struct pv_database;

/* In the writer's thread. */
void pv_seed_redirect_keep(struct pv_database *database, struct pv_str url);

/* Before the store is started: whether that is noted. */
bool pv_seed_redirect_is_kept(struct pv_database *database, struct pv_str url);

/* A worker of the same fleet has told of it: tells the scope; whether what was
 * refused before may be in scope by that. */
bool pv_seed_redirect_hear(struct pv_crawl *crawl, struct pv_str url);

/* Before the store is started: tells the scope what is known. */
void pv_seed_redirects_restore(struct pv_crawl *crawl);

#endif
