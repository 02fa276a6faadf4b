#ifndef PAVANE_CRAWL_PROGRESS_EVENTS_H
#define PAVANE_CRAWL_PROGRESS_EVENTS_H

#include "schedule/host_clock.h"

/* Lines for who watches a crawl closely: one for each event of a host
 * (PV_LOG_DEBUG), and one for each request (PV_LOG_TRACE). What concerns
 * everybody, such as a host that is given up, is logged where it happens.
 */
struct pv_authority;
struct pv_crawl;
struct pv_flight;
struct pv_live_host;

/* Its address is known. */
void pv_events_found(const struct pv_live_host *host);

/* It is not requested, for that reason. */
void pv_events_refused(const struct pv_live_host *host, const char *why);

/* A robots.txt was read, or there is none. */
void pv_events_robots(
    const struct pv_crawl *crawl, const struct pv_authority *authority);

/* Its robots.txt asks for that rest between requests. */
void pv_events_crawl_delay(const struct pv_live_host *host, int64_t delay_ms);

/* A request has ended: what it was answered, and whether its host now rests
 * for longer than usual. */
void pv_events_ended(
    const struct pv_flight *flight, const struct pv_visit_end *end);

/* Nothing is left to be requested. */
void pv_events_done(const struct pv_live_host *host);

#endif
