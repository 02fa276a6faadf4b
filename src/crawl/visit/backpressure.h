#ifndef PAVANE_CRAWL_VISIT_BACKPRESSURE_H
#define PAVANE_CRAWL_VISIT_BACKPRESSURE_H

#include <stdbool.h>
#include <stddef.h>

/* When nothing new is released: because it ends, a limit of the policy is
 * reached or may be, too much waits to be committed, or this machine has run
 * out of something. */
struct pv_crawl;

bool pv_backpressure_is_due(const struct pv_crawl *crawl);

/* How many may be released at a time, of at most so many: one, where a limit
 * is near. */
size_t pv_backpressure_room(const struct pv_crawl *crawl, size_t most);

/* We have run out of descriptors, ports and the like, as `why` says: that is
 * nobody's fault but ours, and for a while less is asked at once. */
void pv_backpressure_slow_down(struct pv_crawl *crawl, const char *why);

#endif
