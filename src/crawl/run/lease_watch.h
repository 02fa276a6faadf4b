#ifndef PAVANE_CRAWL_RUN_LEASE_WATCH_H
#define PAVANE_CRAWL_RUN_LEASE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* What a crawl does when it cannot be sure any more that the hosts it asks are
 * its own (base/lease.h).
 *
 * Shortly before the lease ends nothing is released (visit/backpressure.h); what
 * is about to be sent is refused by the thread that sends it (fetch/hooks.h); and
 * once the lease is over, what is under way is cancelled here: its visits come
 * back as not asked, without a word against their hosts. That is logged once, and
 * once more when the lease holds again and the crawl goes on.
 */
struct pv_crawl;
struct pv_buf;

struct pv_lease_watch {
	bool has_held;  /* at any time: before, it is only beginning */
	bool is_closed; /* nothing is released */
	bool is_over;   /* what was under way has been cancelled */
};

/* Looks at the lease, once in each turn of the loop. */
void pv_lease_watch_step(struct pv_crawl *crawl);

/* When it is to look again, if the lease is not renewed before; PV_NEVER. */
int64_t pv_lease_watch_next(const struct pv_crawl *crawl);

/* Appends what the crawl as a whole waits for, if it does. */
void pv_lease_watch_write(const struct pv_crawl *crawl, struct pv_buf *buf);

#endif
