#ifndef PAVANE_ORDER_H
#define PAVANE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"

/* Orders to a crawl from another program than the one that runs it. */

#ifdef __cplusplus
extern "C" {
#endif

struct pavane_order {
	size_t size;
	const char *directory;  /* of the crawl, running or not */
	const char *host;       /* a host alone; NULL: the whole crawl */
	const char *until;      /* when the pause ends: "2h", "14:30" or
				  "2026-11-27"; NULL: when it is resumed */
	pavane_line_fn on_line; /* gets the reason where nothing was changed */
	void *ctx;
};

/* Pauses a crawl: no new request is started, those in flight end, and the crawl
 * stays open. It holds over restarts; a crawl that runs heeds it before its
 * next request. PAVANE_WRONG if the host is none of this
 * crawl, or the time is none that is to come; PAVANE_UNREADABLE if there is no
 * crawl, or the order cannot be written. */
PAVANE_API enum pavane_answer pavane_order_pause(
    const struct pavane_order *order);

/* Ends that pause. PAVANE_NO if there was none. Without a host, all pauses of
 * single hosts stay. */
PAVANE_API enum pavane_answer pavane_order_resume(
    const struct pavane_order *order);

/* Sets keys of its policy, each "KEY=VALUE", or takes one back: "KEY=". All of
 * them or none. They hold over restarts, over whatever the policy says; a crawl
 * that runs ends what is in flight, and goes on with them before its next
 * request (pavane_crawl_has_changed). Host and time of the order are none of its
 * business. PAVANE_NO if that is so already; PAVANE_WRONG if a key is unknown or
 * may not be set, or a value is wrong. Where the policy's domains say otherwise
 * for some hosts, on_line gets a line of PAVANE_INFO. */
PAVANE_API enum pavane_answer pavane_order_set(const struct pavane_order *order,
    const char *const *assignments, size_t count);

/* Asks the run of the crawl to stop, as pavane_crawl_stop does, if that process
 * runs it (0: whichever), and says which does (negative: it is not known yet).
 * To be called again until the answer is another, since a process that reads
 * its policy again begins another run. PAVANE_NO if that process, or nobody,
 * runs it any more. */
PAVANE_API enum pavane_answer pavane_order_stop(
    const struct pavane_order *order, int64_t *process);

#ifdef __cplusplus
}
#endif

#endif
