#ifndef PAVANE_CRAWL_RUN_FLEET_WORKER_H
#define PAVANE_CRAWL_RUN_FLEET_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "crawl/update/rejudge.h"

/* A crawl as the worker of a fleet (fleet/fleet.h), if its options say so: where it
 * joins, and what becomes of it when it has lost its place there. */
struct pv_crawl;
struct pv_why;

/* How what it has refused is judged again, when the scope becomes wider
 * (fleet/taking/widening.h). */
struct pv_fleet_rejudge {
	struct pv_rejudge rejudge;
	struct pv_rejudging rejudging; /* for the fleet */
};

/* Whether the crawl can be a fleet's worker, if it is to be one. */
bool pv_fleet_worker_suits(const struct pv_crawl *crawl, struct pv_why *why);

/* Before the state is opened; true also where there is no fleet. */
bool pv_fleet_worker_join(struct pv_crawl *crawl, struct pv_why *why);

/* When the frontier is open. */
bool pv_fleet_worker_begin(struct pv_crawl *crawl, struct pv_why *why);

/* Whether the fleet's update begins with it. */
bool pv_fleet_worker_begins_round(const struct pv_crawl *crawl);

/* Whether the fleet has nothing left to do. */
bool pv_fleet_worker_is_finished(const struct pv_crawl *crawl);

/* Whether it has nothing left to do, while the fleet still has. */
bool pv_fleet_worker_is_idle(const struct pv_crawl *crawl);

/* Its number there; 0 where there is no fleet. */
int64_t pv_fleet_worker_number(const struct pv_crawl *crawl);

/* As of an environment. */
int64_t pv_fleet_worker_wish(const struct pv_crawl *crawl);

/* When the writer was stopped. */
void pv_fleet_worker_close(struct pv_crawl *crawl);

#endif
