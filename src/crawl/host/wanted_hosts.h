#ifndef PAVANE_CRAWL_HOST_WANTED_HOSTS_H
#define PAVANE_CRAWL_HOST_WANTED_HOSTS_H

#include <stddef.h>
#include <stdint.h>

/* These hosts are wanted elsewhere: gives back those of which nothing is under way,
 * be it that they have something left. What they were to be asked for on behalf of
 * others is asked for when they can be held again. `ctx` is the crawl. */
void pv_wanted_hosts_give(void *ctx, const uint64_t *host_ids, size_t count);

#endif
