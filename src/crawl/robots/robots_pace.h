#ifndef PAVANE_CRAWL_ROBOTS_ROBOTS_PACE_H
#define PAVANE_CRAWL_ROBOTS_ROBOTS_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "crawl/robots/forgotten_pace.h"

/* What a host asks for in its robots.txt beside rules: a delay between
 * requests, and hours of the day. Both hold for the host, whatever scheme and
 * port it says so at: the longest delay, and the hours that all allow. */
struct pv_live_host;

/* What holds for it. */
struct pv_robots_pace {
	int64_t delay_ms; /* 0 for none */
	bool has_visit_time;
	struct pv_forgotten_pace forgotten; /* a part of both */
};

/* Sees to it that they hold from now, which may be that the host is left. NULL
 * is fine. */
void pv_robots_pace_apply(struct pv_live_host *host);

#endif
