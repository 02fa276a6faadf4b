#ifndef PAVANE_CRAWL_HOST_HOST_RETURNS_H
#define PAVANE_CRAWL_HOST_HOST_RETURNS_H

#include "frontier/frontier.h"

/* Hosts that are given back to the frontier: one by one while others need their
 * places, or all of them at the end. */
struct pv_crawl;
struct pv_live_host;

struct pv_host_giving {
	size_t leaving; /* hosts that are being given back one by one */
	struct pv_host_returns all;   /* at the end ... */
	struct pv_host_return *items; /* ... each of them */
};

/* Gives a host back, of which nothing may be open; the frontier gives it out
 * again when it is ready, if it has something left (PV_NEVER: at once). */
void pv_host_returns_give(
    struct pv_crawl *crawl, struct pv_live_host *host, int64_t ready_at);

/* Gives all hosts back, of which nothing may be open: the crawl is at its end,
 * and nothing is taken any more. */
void pv_host_returns_give_all(struct pv_crawl *crawl);

void pv_host_returns_finish(struct pv_host_giving *giving);

#endif
