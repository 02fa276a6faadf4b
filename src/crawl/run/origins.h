#ifndef PAVANE_CRAWL_RUN_ORIGINS_H
#define PAVANE_CRAWL_RUN_ORIGINS_H

#include "base/arena.h"
#include "base/map.h"

/* The authorities that a person named among the seeds: what fetch.headers says
 * in confidence goes to them and to nobody else. */
struct pv_origins {
	struct pv_map map;
	struct pv_arena texts;
};

void pv_origins_init(struct pv_origins *origins);
void pv_origins_finish(struct pv_origins *origins);

void pv_origins_add(struct pv_origins *origins, struct pv_str authority);
bool pv_origins_has(const struct pv_origins *origins, struct pv_str authority);

#endif
