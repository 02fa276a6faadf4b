#include "crawl/runtime.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "base/alloc.h"
#include "crawl/control/shared_pauses.h"
#include "limiter/clock_waiters.h"
#include "loop/pool.h"
#include "schedule/shared_places.h"
#include "schedule/shared_rate.h"
#include "store/store.h"

/* Beside the loops' and the writers'. */
#define THREADS_MAX 64

/* What a crawl's caches take alone: of its state file, and of links (the frontier
 * has a place for a million of them). */
#define STATE_BYTES PV_STORE_CACHE_BYTES
#define LINK_BYTES ((size_t)16 << 20)
#define ALONE_BYTES (STATE_BYTES + LINK_BYTES)

/* What each has at least, however many there are: with less a crawl would read the
 * same pages of its state again and again. */
#define LEAST_BYTES ((size_t)2 << 20)

struct pv_runtime {
	struct pv_workers *workers;
	struct pv_shared_places *places;
	struct pv_shared_rate *rate;
	struct pv_shared_pauses *pauses;
	struct pv_clock_waiters *clock_waiters;
	size_t cache_bytes; /* 0: no ceiling */
	atomic_size_t crawls;
};

static size_t count_threads(size_t wanted)
{
	size_t count = wanted ? wanted : uv_available_parallelism();
	return count < THREADS_MAX ? count : THREADS_MAX;
}

/* Names are others' to choose, the key is not. */
static struct pv_clock_waiters *create_waiters(void)
{
	struct pv_hash_key key;
	if (getentropy(&key, sizeof(key)) != 0)
		abort();
	return pv_clock_waiters_create(key);
}

struct pv_runtime *pv_runtime_create(size_t threads, size_t concurrency)
{
	struct pv_runtime *runtime = pv_alloc(sizeof(*runtime));
	runtime->workers = pv_workers_create(count_threads(threads));
	if (!runtime->workers) {
		free(runtime);
		return NULL;
	}
	runtime->pauses = pv_shared_pauses_create();
	runtime->rate = pv_shared_rate_create();
	runtime->clock_waiters = create_waiters();
	if (concurrency)
		runtime->places = pv_shared_places_create(concurrency);
	return runtime;
}

bool pv_runtime_destroy(struct pv_runtime *runtime)
{
	if (!runtime)
		return true;
	if (atomic_load(&runtime->crawls))
		return false;
	pv_workers_destroy(runtime->workers);
	pv_shared_places_destroy(runtime->places);
	pv_shared_rate_destroy(runtime->rate);
	pv_clock_waiters_destroy(runtime->clock_waiters);
	pv_shared_pauses_destroy(runtime->pauses);
	free(runtime);
	return true;
}

void pv_runtime_join(struct pv_runtime *runtime)
{
	atomic_fetch_add(&runtime->crawls, 1);
}

void pv_runtime_leave(struct pv_runtime *runtime)
{
	atomic_fetch_sub(&runtime->crawls, 1);
}

struct pv_workers *pv_runtime_workers(struct pv_runtime *runtime)
{
	return runtime->workers;
}

struct pv_shared_pauses *pv_runtime_pauses(struct pv_runtime *runtime)
{
	return runtime->pauses;
}

struct pv_clock_waiters *pv_runtime_clock_waiters(struct pv_runtime *runtime)
{
	return runtime->clock_waiters;
}

struct pv_shared_places *pv_runtime_places(struct pv_runtime *runtime)
{
	return runtime->places;
}

struct pv_shared_rate *pv_runtime_rate(struct pv_runtime *runtime)
{
	return runtime->rate;
}

void pv_runtime_set_rate(
    struct pv_runtime *runtime, unsigned rate, unsigned interval_ms)
{
	pv_shared_rate_change(runtime->rate, rate, interval_ms);
}

void pv_runtime_limit_caches(struct pv_runtime *runtime, size_t bytes)
{
	runtime->cache_bytes = bytes;
}

struct pv_cache_part pv_runtime_cache_part(const struct pv_runtime *runtime)
{
	size_t crawls = atomic_load(&runtime->crawls);
	size_t bytes = runtime->cache_bytes / (crawls ? crawls : 1);
	if (!runtime->cache_bytes || bytes > ALONE_BYTES)
		bytes = ALONE_BYTES;
	if (bytes < LEAST_BYTES)
		bytes = LEAST_BYTES;
	size_t link_bytes = bytes / (ALONE_BYTES / LINK_BYTES);
	return (struct pv_cache_part){
	    .state_bytes = bytes - link_bytes,
	    .link_bytes = link_bytes,
	};
}
