#ifndef PAVANE_CRAWL_RUNTIME_H
#define PAVANE_CRAWL_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

/* What several crawls of one process share: the threads that read answers, a
 * ceiling of requests in flight, the rate at which requests are started, the memory
 * of caches, and hosts that are paused in all of them. A crawl without one has
 * threads of its own. */
struct pv_clock_waiters;
struct pv_runtime;
struct pv_shared_pauses;
struct pv_shared_places;
struct pv_shared_rate;
struct pv_workers;

/* So many threads (0: one for each processor), and so many requests in flight of
 * all crawls together (0: as many as each of them may have). NULL if there
 * cannot be so many threads. */
struct pv_runtime *pv_runtime_create(size_t threads, size_t concurrency);

/* False, with nothing done, while a crawl uses it. */
bool pv_runtime_destroy(struct pv_runtime *runtime);

/* For a crawl, from when it is opened until it is closed. */
void pv_runtime_join(struct pv_runtime *runtime);
void pv_runtime_leave(struct pv_runtime *runtime);

struct pv_workers *pv_runtime_workers(struct pv_runtime *runtime);

struct pv_shared_pauses *pv_runtime_pauses(struct pv_runtime *runtime);

/* NULL if there is no ceiling. */
struct pv_shared_places *pv_runtime_places(struct pv_runtime *runtime);

struct pv_shared_rate *pv_runtime_rate(struct pv_runtime *runtime);

/* From now on all crawls together start so many requests in each interval; 0: as
 * many as each of them may, which is so at first. In any thread. */
void pv_runtime_set_rate(
    struct pv_runtime *runtime, unsigned rate, unsigned interval_ms);

/* Who waits for whose clocks. */
struct pv_clock_waiters *pv_runtime_clock_waiters(struct pv_runtime *runtime);

/* What the caches of all crawls take together, in bytes; 0: each what it takes
 * alone, which is so at first. Before any crawl joins. */
void pv_runtime_limit_caches(struct pv_runtime *runtime, size_t bytes);

/* What a crawl's caches may take now: less as others join, more as they leave; of
 * its state file, and of the links that it has at hand. */
struct pv_cache_part {
	size_t state_bytes;
	size_t link_bytes;
};

struct pv_cache_part pv_runtime_cache_part(const struct pv_runtime *runtime);

#endif
