#ifndef PAVANE_CRAWL_HOST_HOSTS_H
#define PAVANE_CRAWL_HOST_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "crawl/host/dns.h"
#include "crawl/host/held_hosts.h"
#include "crawl/host/host_returns.h"
#include "crawl/host/host_slots.h"
#include "crawl/host/host_visits.h"
#include "crawl/host/proxies.h"
#include "crawl/robots/authority.h"
#include "crawl/robots/robots_hops.h"
#include "frontier/frontier.h"

/* Hosts are taken from the frontier, as many as there are places for, or one by
 * its name; and gone on with once in each turn of the loop. */
struct pv_crawl;
struct pv_live_host;

struct pv_host_taking {
	struct pv_host_request request;
	bool is_under_way;
	size_t wish_count; /* of hosts that are asked for by name */
};

/* All that the crawl has of hosts; each part is its file's. */
struct pv_hosts {
	struct pv_held_hosts held;
	struct pv_host_visits visits; /* of theirs */
	struct pv_host_taking taking;
	struct pv_host_giving giving;
	struct pv_host_slots slots;
	struct pv_dns dns;
	struct pv_authorities authorities;
	struct pv_robots_hops hops; /* to other hosts, of theirs */
	struct pv_proxies proxies;
};

void pv_hosts_init(struct pv_crawl *crawl);
void pv_hosts_finish(struct pv_crawl *crawl);

/* Takes further hosts if there are any and there is room, looks up names that
 * are due, and lets go on what failed and has rested. */
void pv_hosts_step(struct pv_crawl *crawl);

/* Holds the host of that name, be it that it has nothing to visit, on behalf of
 * another one, and goes on with it; with NULL if it cannot be held now, for it is
 * just being given back, or is another worker's of the fleet. */
typedef void (*pv_wish_fn)(
    struct pv_crawl *crawl, struct pv_live_host *host, void *ctx);
void pv_hosts_wish(struct pv_crawl *crawl, struct pv_str name,
    struct pv_str asker, pv_wish_fn then, void *ctx);

/* Whether no host has anything left, nor waits to be taken. */
bool pv_hosts_are_idle(const struct pv_crawl *crawl);

#endif
