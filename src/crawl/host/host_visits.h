#ifndef PAVANE_CRAWL_HOST_HOST_VISITS_H
#define PAVANE_CRAWL_HOST_HOST_VISITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next visits of each host: asked of the frontier where they run short,
 * kept in the host's line, and given to the schedule, which has room for a few.
 *
 * The visits of a host that cannot or may not be asked end instead. That is not
 * done here: such a host is noted, and the turn goes on with it
 * (refused_hosts.h).
 */
struct pv_crawl;
struct pv_task;
struct pv_live_host;
struct pv_visit_request;

struct pv_host_visits {
	int64_t later_next;           /* when the first that failed has rested;
			       PV_NEVER */
	struct pv_live_host *refused; /* that were noted */
};

/* How a host's come. */
struct pv_host_feed {
	bool has_more;  /* the frontier has further ones */
	bool is_asking; /* it for them */
	bool has_more_since_asked;
	struct pv_visit_request *request;   /* while it asks; owned */
	int64_t later_at;                   /* until when the first that failed
					       rests */
	struct pv_live_host *refused_next;  /* among those that are noted */
	struct pv_live_host **refused_link; /* NULL: it is not */
};

void pv_host_visits_init(struct pv_host_visits *visits);

/* For the frontier: what its links have brought (pv_work_fn). */
void pv_host_visits_on_work(
    void *ctx, const uint64_t *host_ids, size_t count, bool has_waiting_hosts);

/* Lets the schedule have what waits in the host's line, and asks for more; or
 * notes the host, if it is refused. */
void pv_host_visits_feed(struct pv_crawl *crawl, struct pv_live_host *host);

/* The same once those of a refused host have ended that could. */
void pv_host_visits_go_on(struct pv_crawl *crawl, struct pv_live_host *host);

/* The next host that is noted as refused, which then is no more; NULL for
 * none. */
struct pv_live_host *pv_host_visits_take_refused(struct pv_host_visits *visits);

/* A report has brought links, which mostly lead to its own host: where that has
 * nothing left, it asks for what they have brought before that is committed. */
void pv_host_visits_expect(struct pv_crawl *crawl, struct pv_live_host *host);

/* Lets the schedule have more, if it has little left, and asks for more: one of
 * its visits was released. */
void pv_host_visits_on_release(
    struct pv_crawl *crawl, struct pv_live_host *host);

/* A task that was released and cannot be run yet is the host's next
 * again. */
void pv_host_visits_put_back(
    struct pv_crawl *crawl, struct pv_live_host *host, struct pv_task *task);

/* Puts what the schedule has of a host's visits, and has not released, before
 * what waits in the host's line. */
void pv_host_visits_take_back(struct pv_live_host *host);

/* Asks for visits of each host once more. */
void pv_host_visits_ask_all(struct pv_crawl *crawl);

/* Asks for those that hosts are known to have and nobody has asked for; whether
 * there are any. There are none as long as each step does what it promises. */
bool pv_host_visits_ask_rest(struct pv_crawl *crawl);

/* Puts into the lines what failed and has rested. */
void pv_host_visits_step(struct pv_crawl *crawl);

#endif
