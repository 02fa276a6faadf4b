#ifndef PAVANE_CRAWL_ROBOTS_ROBOTS_GATE_H
#define PAVANE_CRAWL_ROBOTS_ROBOTS_GATE_H

#include <stdint.h>

#include "base/str.h"
#include "record/verdict.h"

/* robots.txt: asked for before the first visit of an authority, and paced like
 * any request, and again when it has become too old. */
struct pv_authority;
struct pv_crawl;
struct pv_flight;
struct pv_live_host;

enum pv_robots_gate {
	PV_ROBOTS_GATE_ALLOWED,
	PV_ROBOTS_GATE_FORBIDDEN, /* with the verdict */
	PV_ROBOTS_GATE_ASK,       /* robots.txt comes first */
	PV_ROBOTS_GATE_WAIT,      /* it has been asked, and has not said */
};

/* What a visit that was just released may do. */
enum pv_robots_gate pv_robots_gate_judge(
    struct pv_flight *flight, struct pv_verdict *verdict);

/* An open request for the authority's robots.txt. */
struct pv_flight *pv_robots_gate_open(
    struct pv_crawl *crawl, struct pv_authority *authority);

/* What was read (its findings) counts from now, and what
 * waited for it goes on. */
void pv_robots_gate_answer(struct pv_flight *flight);

/* It is elsewhere: asks at that host, or with NULL it counts as one that cannot be
 * had (crawl/robots/robots_hops.h). */
void pv_robots_gate_hop(struct pv_crawl *crawl, struct pv_authority *authority,
    struct pv_live_host *host, struct pv_str url);

/* Asks once more where the time has come. */
void pv_robots_gate_step(struct pv_crawl *crawl);

#endif
