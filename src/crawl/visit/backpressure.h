#ifndef PAVANE_CRAWL_VISIT_BACKPRESSURE_H
#define PAVANE_CRAWL_VISIT_BACKPRESSURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crawl/visit/disk_space.h"
#include "schedule/wait.h"

/* When nothing new is released: because the crawl ends or is paused, a limit of
 * the policy is reached or may be, too much waits to be committed, this
 * machine has run out of something, or the crawl's lease is about to end. */
struct pv_crawl;

struct pv_backpressure {
	struct pv_disk_space disk;
	int64_t pause_until;  /* nothing is released */
	int64_t scarce_until; /* no more than so many are in flight */
	size_t in_flight_max;
	unsigned unkept_pauses; /* since a page was kept, because of ones that
				   could not be */
	bool has_idle_to_close; /* connections that nobody waits for */
};

/* Why nothing is released now; PV_WAIT_NOT if something may be. */
enum pv_wait_reason pv_backpressure_reason(const struct pv_crawl *crawl);

/* How many may be released at a time, of at most so many: one, where a limit
 * is near. */
size_t pv_backpressure_room(const struct pv_crawl *crawl, size_t most);

/* We have run out of descriptors, ports and the like, as `why` says: that is
 * nobody's fault but ours, and for a while less is asked at once. */
void pv_backpressure_slow_down(struct pv_crawl *crawl, const char *why);

#endif
