#ifndef PAVANE_RUNTIME_H
#define PAVANE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

#include "pavane/core.h"

/* What several crawls of one process share. Without it each has as many threads
 * as there are processors, and all requests in flight that its policy allows. */

#ifdef __cplusplus
extern "C" {
#endif

struct pavane_runtime;

struct pavane_runtime_options {
	size_t size;

	/* That read answers. 0: one for each processor. Crawls take turns. */
	unsigned threads;

	/* Requests in flight of all crawls together, beside the rate.concurrency
	 * of each. Each may have its equal part at any time, and more while
	 * others leave theirs. 0: no such ceiling. */
	unsigned concurrency;
};

/* To be given to crawls when they are opened (pavane_crawl_options). NULL if so
 * many threads cannot be started, or the size of the options was never set. May
 * be called from any thread, as may all functions here. */
PAVANE_API struct pavane_runtime *pavane_runtime_open(
    const struct pavane_runtime_options *options);

/* When its crawls are closed; while one is open nothing is done, and it says
 * false. */
PAVANE_API bool pavane_runtime_close(struct pavane_runtime *runtime);

#ifdef __cplusplus
}
#endif

#endif
