#include "crawl/runtime.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <uv.h>

#include "base/alloc.h"
#include "crawl/control/shared_pauses.h"
#include "loop/pool.h"
#include "schedule/shared_places.h"
#include "schedule/shared_rate.h"

/* Beside the loops' and the writers'. */
#define THREADS_MAX 64

struct pv_runtime {
	struct pv_workers *workers;
	struct pv_shared_places *places;
	struct pv_shared_rate *rate;
	struct pv_shared_pauses *pauses;
	atomic_size_t crawls;
};

static size_t count_threads(size_t wanted)
{
	size_t count = wanted ? wanted : uv_available_parallelism();
	return count < THREADS_MAX ? count : THREADS_MAX;
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
