#ifndef PAVANE_CRAWL_ROBOTS_ROBOTS_HOPS_H
#define PAVANE_CRAWL_ROBOTS_ROBOTS_HOPS_H

#include <stdint.h>

#include "base/str.h"

/* Robots.txt that are at another host: each waits until that one can be held, which
 * may be another worker's of a fleet, until it can be asked there. If it cannot in
 * two minutes, it cannot be had; if the host that it is for leaves meanwhile, nobody
 * waits for it any more.
 */
struct pv_authority;
struct pv_crawl;
struct pv_live_host;
struct pv_robots_hop;

/* With the host, NULL if it cannot be had, and where it is. */
typedef void (*pv_robots_hop_fn)(struct pv_crawl *crawl,
    struct pv_authority *authority, struct pv_live_host *host,
    struct pv_str url);

struct pv_robots_hops {
	struct pv_robots_hop *first;
	int64_t next_at; /* that one of them asks again; PV_NEVER */
	pv_robots_hop_fn then;
};

void pv_robots_hops_init(struct pv_robots_hops *hops, pv_robots_hop_fn then);
void pv_robots_hops_finish(struct pv_robots_hops *hops);

/* The authority's is at that host and address. */
void pv_robots_hops_add(struct pv_crawl *crawl, struct pv_authority *authority,
    struct pv_str host, struct pv_str url);

/* The host leaves: those that wait to be asked there wait for it again. */
void pv_robots_hops_put_back(struct pv_crawl *crawl, struct pv_live_host *host);

void pv_robots_hops_step(struct pv_crawl *crawl);

#endif
