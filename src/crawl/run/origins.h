#ifndef PAVANE_CRAWL_RUN_ORIGINS_H
#define PAVANE_CRAWL_RUN_ORIGINS_H

#include "base/arena.h"
#include "base/map.h"
#include "policy/seed_walk.h"

/* The authorities that a person named among the seeds, their hosts, and their
 * schemes with their ports: what fetch.headers says in confidence goes to the
 * first and to nobody else, and what the domain table says as all three
 * allow (policy/secrets/secret.h). */
struct pv_url;

struct pv_origins {
	struct pv_map map; /* "https://a.test:8443", "//a.test", ":s8443" */
	size_t count;      /* of authorities */
	struct pv_arena texts;
};

void pv_origins_init(struct pv_origins *origins);
void pv_origins_finish(struct pv_origins *origins);

void pv_origins_add(struct pv_origins *origins, const struct pv_url *url);
bool pv_origins_has(const struct pv_origins *origins, struct pv_str authority);

/* What of an address was named. */
struct pv_named_seeds pv_origins_find(
    const struct pv_origins *origins, const struct pv_url *url);

#endif
