#ifndef PAVANE_RUNTIME_H
#define PAVANE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

	/* Requests that all crawls together start in each interval of so many
	 * milliseconds (0: 1000), beside the rate of each. Robots.txt,
	 * redirects and retries are requests, too. Of what is left over nothing
	 * is kept for later. Crawls that wait have equal parts. 0: no such
	 * rate. */
	unsigned rate;
	unsigned rate_interval_ms;

	/* Memory of the caches of all crawls together, in bytes: of their state
	 * files and of links at hand, which are up to 272 MiB for one alone.
	 * Each has an equal part, and 2 MiB at least. 0: no such ceiling. */
	size_t cache_bytes;
};

/* To be given to crawls when they are opened (pavane_crawl_options). NULL if so
 * many threads cannot be started, or the size of the options was never set. May
 * be called from any thread, as may all functions here. */
PAVANE_API struct pavane_runtime *pavane_runtime_open(
    const struct pavane_runtime_options *options);

/* When its crawls are closed; while one is open nothing is done, and it says
 * false. */
PAVANE_API bool pavane_runtime_close(struct pavane_runtime *runtime);

/* Another rate from now on, of crawls that are open, too, as in the options. */
PAVANE_API void pavane_runtime_set_rate(
    struct pavane_runtime *runtime, unsigned rate, unsigned interval_ms);

/* Pauses a host, with all its ports, in all crawls of this runtime, also in those
 * that are opened later or find it later: until then, in milliseconds since 1970; 0
 * is until it is resumed. None of them begins a request to it from the next round
 * of its loop on; what is in flight ends. `why` is shown with the pause, at most
 * 200 bytes of it; NULL for no reason. A pause that a crawl has of its own
 * (pavane_crawl_pause_host) holds beside it.
 *
 * While a crawl runs, its directory says so to other processes (pavane_status_read,
 * pavane_explain). The pause ends with the process: a program says it again in its
 * next one. False if the name can be none, or 1000 hosts are paused already. */
PAVANE_API bool pavane_runtime_pause_host(struct pavane_runtime *runtime,
    const char *host, int64_t until_ms, const char *why);

/* Ends it; crawls see that with their next beat (progress_ms in crawl.h). False if
 * it was not paused so. */
PAVANE_API bool pavane_runtime_resume_host(
    struct pavane_runtime *runtime, const char *host);

#ifdef __cplusplus
}
#endif

#endif
