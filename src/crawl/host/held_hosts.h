#ifndef PAVANE_CRAWL_HOST_HELD_HOSTS_H
#define PAVANE_CRAWL_HOST_HELD_HOSTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "frontier/frontier.h"

/* All hosts that the crawl holds, by number, id and name. It owns them: a host
 * is there from when the frontier gave it out until it has been given back. */
struct pv_crawl;
struct pv_live_host;

struct pv_held_hosts {
	struct pv_live_host **items;
	size_t count;
	size_t size;
	struct pv_map by_id;
	struct pv_map by_name;
};

void pv_held_hosts_init(struct pv_held_hosts *held, struct pv_hash_key key);
void pv_held_hosts_finish(struct pv_crawl *crawl);

struct pv_live_host *pv_held_hosts_add(
    struct pv_held_hosts *held, const struct pv_host *host);

/* Of which nothing may be open; the schedule and names forget it, too. */
void pv_held_hosts_remove(struct pv_crawl *crawl, struct pv_live_host *host);

/* NULL for none. */
struct pv_live_host *pv_held_hosts_find(
    const struct pv_held_hosts *held, uint64_t id);

/* The same; hosts that are being given back are left out. */
struct pv_live_host *pv_held_hosts_find_name(
    const struct pv_held_hosts *held, struct pv_str name);

/* When to look through all hosts again for those that are due then: where there
 * are many, a little later, so that looking never is the most of the work. */
int64_t pv_held_hosts_next_look(const struct pv_crawl *crawl, int64_t due_at);

#endif
