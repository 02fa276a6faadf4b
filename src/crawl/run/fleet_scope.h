#ifndef PAVANE_CRAWL_RUN_FLEET_SCOPE_H
#define PAVANE_CRAWL_RUN_FLEET_SCOPE_H

#include "base/str.h"
#include "crawl/update/rejudge.h"

/* What a fleet's worker hears of the scope (fleet/taking/widening.h): where the
 * seeds of other workers are redirected to, and how what it has refused is judged again
 * then. */
struct pv_crawl;
struct pv_database;

struct pv_fleet_scope {
	struct pv_rejudge rejudge;
	struct pv_rejudging rejudging; /* for the fleet */
};

void pv_fleet_scope_init(struct pv_fleet_scope *scope, struct pv_crawl *crawl);

/* Whether what was refused before may be in scope by that. `ctx` is the crawl, here and below. */
bool pv_fleet_scope_hear(void *ctx, struct pv_str url);

/* In the writer's thread. */
void pv_fleet_scope_keep(
    void *ctx, struct pv_database *database, struct pv_str url);

#endif
