#include "api/crawl/runtime.h"

#include <stdlib.h>

#include "api/sized.h"
#include "base/alloc.h"

struct pavane_runtime {
	struct pv_runtime *runtime;
};

struct pavane_runtime *pavane_runtime_open(
    const struct pavane_runtime_options *options)
{
	struct pavane_runtime_options own;
	if (!pv_sized_read(&own, sizeof(own), options))
		return NULL;
	struct pv_runtime *inner =
	    pv_runtime_create(own.threads, own.concurrency);
	if (!inner)
		return NULL;
	struct pavane_runtime *runtime = pv_alloc(sizeof(*runtime));
	runtime->runtime = inner;
	return runtime;
}

bool pavane_runtime_close(struct pavane_runtime *runtime)
{
	if (!runtime)
		return true;
	if (!pv_runtime_destroy(runtime->runtime))
		return false;
	free(runtime);
	return true;
}

struct pv_runtime *pv_runtime_of(struct pavane_runtime *runtime)
{
	return runtime ? runtime->runtime : NULL;
}
