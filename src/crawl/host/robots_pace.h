#ifndef PAVANE_CRAWL_HOST_ROBOTS_PACE_H
#define PAVANE_CRAWL_HOST_ROBOTS_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* What a host asks for in its robots.txt beside rules: a delay between
 * requests, and hours of the day. Both hold for the host, whatever scheme and
 * port it says so at: the longest delay, and the hours that all allow. */
struct pv_live_host;
struct pv_robots_matcher;
struct pv_robots_day;

/* What holds for it. */
struct pv_robots_pace {
	int64_t delay_ms; /* 0 for none */
	bool has_visit_time;
	int64_t forgotten_delay_ms; /* that authorities asked for which are
				       forgotten ... */
	struct pv_robots_day *forgotten_day; /* ... and their hours; owned;
						NULL for none */
};

void pv_robots_pace_finish(struct pv_robots_pace *pace);

/* What an authority of it asks for, which is forgotten, holds until the host
 * leaves. */
void pv_robots_pace_remember(
    struct pv_robots_pace *pace, const struct pv_robots_matcher *matcher);

/* Sees to it that they hold from now, which may be that the host is left. NULL
 * is fine. */
void pv_robots_pace_apply(struct pv_live_host *host);

#endif
