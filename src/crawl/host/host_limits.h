#ifndef PAVANE_CRAWL_HOST_HOST_LIMITS_H
#define PAVANE_CRAWL_HOST_HOST_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* What a host may be asked for in all: limits.host_pages and limits.host_bytes.
 *
 * What it has answered in all runs is counted in its state. Each request in
 * flight may bring a page, too: where those could reach the limit, the host
 * waits until one of them has ended, and no page is asked for beyond it.
 */
struct pv_live_host;

struct pv_host_limits {
	uint32_t pages_in_flight; /* requests that may bring one */
	bool is_waiting;          /* for whether they do */
};

/* Whether it has reached one of them. */
bool pv_host_limits_are_reached(const struct pv_live_host *host);

/* Whether it has, if all requests in flight bring a page. */
bool pv_host_limits_may_be_reached(const struct pv_live_host *host);

/* Parks the host until a request has ended. */
void pv_host_limits_wait(struct pv_live_host *host);

/* A request has been started, and has ended, that may bring a page or not. */
void pv_host_limits_begin(struct pv_live_host *host, bool is_for_page);
void pv_host_limits_end(struct pv_live_host *host, bool is_for_page);

/* So much has come of it, and whether it was a page. */
void pv_host_limits_count(
    struct pv_live_host *host, uint64_t bytes, bool is_page);

#endif
