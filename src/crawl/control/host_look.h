#ifndef PAVANE_CRAWL_CONTROL_HOST_LOOK_H
#define PAVANE_CRAWL_CONTROL_HOST_LOOK_H

#include <stdbool.h>

#include "base/buf.h"
#include "pavane/command.h"

/* How one host is, in values: of one that the crawl holds by what is in memory,
 * of another by what the state has. */
struct pv_crawl;
struct pv_database;
struct pv_live_host;

/* Of which nothing is known. */
void pv_host_look_nothing(struct pavane_host_look *look);

/* Fills it in for a host that is held, but for how it is paused; on the loop. */
void pv_host_look_live(const struct pv_crawl *crawl,
    const struct pv_live_host *host, struct pavane_host_look *look);

/* Fills it in for a host that is held; false if it is not. On the loop. */
bool pv_host_look_held(const struct pv_crawl *crawl, struct pv_str name,
    struct pavane_host_look *look);

/* The same for one that is not held; false if the crawl has no such host. On the
 * writer's thread, `wall_ms` being now. */
bool pv_host_look_kept(struct pv_database *database, struct pv_str name,
    int64_t wall_ms, struct pavane_host_look *look);

/* Fills in how it is paused. On the loop. */
void pv_host_look_pause(const struct pv_crawl *crawl, struct pv_str name,
    struct pavane_host_look *look);

#endif
