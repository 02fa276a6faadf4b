#ifndef PAVANE_CRAWL_HOSTS_H
#define PAVANE_CRAWL_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* The hosts that we hold: taken from the frontier, looked up, paced, fed with
 * their next visits, and given back. */
struct pv_crawl;
struct pv_errand;
struct pv_live_host;

void pv_hosts_init(struct pv_crawl *crawl);
void pv_hosts_finish(struct pv_crawl *crawl);

/* For the frontier: what its links have brought (pv_work_fn). */
void pv_hosts_on_work(
    void *ctx, const uint64_t *host_ids, size_t count, bool has_waiting_hosts);

/* Takes further hosts if there are any and there is room, and asks for visits
 * where they run short. */
void pv_hosts_step(struct pv_crawl *crawl);

/* Holds the host of that name, be it that it has nothing to visit, and goes on
 * with it; with NULL if it cannot be held, for it is just being given back. */
typedef void (*pv_wish_fn)(
    struct pv_crawl *crawl, struct pv_live_host *host, void *ctx);
void pv_hosts_wish(
    struct pv_crawl *crawl, struct pv_str name, pv_wish_fn then, void *ctx);

/* A report has brought links, which mostly lead to its own host: where that has
 * nothing left, it asks for what they have brought before that is committed. */
void pv_hosts_expect(struct pv_crawl *crawl, struct pv_live_host *host);

/* When to look through all hosts again for those that are due then: where there
 * are many, a little later, so that looking never is the most of the work. */
int64_t pv_hosts_next_look(const struct pv_crawl *crawl, int64_t due_at);

/* Asks for visits of each host once more. */
void pv_hosts_ask_all(struct pv_crawl *crawl);

/* Asks for those that hosts are known to have and nobody has asked for; whether
 * there are any. There are none as long as each step does what it promises. */
bool pv_hosts_ask_rest(struct pv_crawl *crawl);

/* Lets the schedule have what waits in the host's line. */
void pv_hosts_feed(struct pv_crawl *crawl, struct pv_live_host *host);

/* Lets the schedule have more, if it has little left, and asks for more: one of
 * its visits was released. */
void pv_hosts_on_release(struct pv_crawl *crawl, struct pv_live_host *host);

/* An errand that was released and cannot be run yet is the host's next
 * again. */
void pv_hosts_put_back(struct pv_crawl *crawl, struct pv_live_host *host,
    struct pv_errand *errand);

/* Puts what the schedule has of a host's visits, and has not released, before
 * what waits in the host's line. */
void pv_hosts_take_back(struct pv_live_host *host);

/* Gives a host back, of which nothing may be open; the frontier gives it out
 * again when it is ready, if it has something left (PV_NEVER: at once). */
void pv_hosts_give(
    struct pv_crawl *crawl, struct pv_live_host *host, int64_t ready_at);

/* Gives all hosts back, of which nothing may be open: the crawl is at its end,
 * and nothing is taken any more. */
void pv_hosts_give_all(struct pv_crawl *crawl);

/* Whether no host has anything left, nor waits to be taken. */
bool pv_hosts_are_idle(const struct pv_crawl *crawl);

#endif
