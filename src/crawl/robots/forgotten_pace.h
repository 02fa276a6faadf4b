#ifndef PAVANE_CRAWL_ROBOTS_FORGOTTEN_PACE_H
#define PAVANE_CRAWL_ROBOTS_FORGOTTEN_PACE_H

#include "robots/matcher.h"

/* The delay and the hours that a host's forgotten robots.txt files ask for:
 * they hold until the host leaves. */
struct pv_forgotten_pace {
	int64_t delay_ms;          /* 0 for none */
	struct pv_robots_day *day; /* owned; NULL for none */
};

void pv_forgotten_pace_finish(struct pv_forgotten_pace *pace);

/* The robots.txt of those rules is about to be forgotten. */
void pv_forgotten_pace_add(
    struct pv_forgotten_pace *pace, const struct pv_robots_matcher *matcher);

#endif
