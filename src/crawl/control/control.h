#ifndef PAVANE_CRAWL_CONTROL_CONTROL_H
#define PAVANE_CRAWL_CONTROL_CONTROL_H

#include "crawl/control/settings.h"
#include "store/orders.h"

/* What a person asks of the crawl from outside while it runs: pauses, other
 * values for keys of its policy (settings.h), and to stop (store/orders.h).
 *
 * While the crawl is paused, nothing is released and no name is looked up. What
 * is in flight ends and is committed, and the crawl stays open, unless nothing
 * is left to do or it is to stop. A host that is paused is treated so alone.
 * The time of a pause of the whole crawl does not count to limits.time, and
 * limits.wait ends no crawl while it, or a host that it holds, is paused. The
 * clocks go on: after a pause a host owes nothing but what is left of its
 * delay, and the crawl has no more tokens than rate.burst.
 *
 * All of it comes by pv_control_take. The file `control` is one source of
 * orders; it is read when the crawl is opened, and ten times a second while the
 * crawl has something to do. Beside it hold the pauses of hosts that all crawls of
 * the process share (shared_pauses.h). Used on the loop's thread.
 */
struct pv_crawl;

struct pv_control {
	struct pv_orders orders;
	struct pv_orders shared; /* pauses */
	uint64_t shared_version;
	struct pv_settings settings;
	struct pv_buf text;   /* of the file, when it was read last */
	bool is_paused;       /* as a whole */
	int64_t paused_at;    /* since when in this run */
	int64_t spent_ms;     /* in pauses of this run that are over */
	int64_t ends_wall_ms; /* the first pause that does */
	int64_t look_at;      /* the file is read again */
	uint64_t changes;     /* of the pauses that hold */
	bool is_stopped;      /* by an order */
	bool is_unreadable;   /* the file, which was logged */
};

/* Before the crawl runs. False, with the reason, if the file cannot be read. */
bool pv_control_open(struct pv_crawl *crawl, struct pv_why *why);
void pv_control_close(struct pv_control *control);

/* Logs that it begins with pauses. */
void pv_control_tell(const struct pv_crawl *crawl);

/* Takes the orders over in the place of those before, and leaves none. They
 * hold before anything else is released. */
void pv_control_take(struct pv_crawl *crawl, struct pv_orders *orders);

/* Each round of the loop, before anything is released: reads the file again,
 * unless that was a moment ago, and ends the pauses that are over. */
void pv_control_step(struct pv_crawl *crawl);

/* Reads it now: this process has changed it. */
void pv_control_look(struct pv_crawl *crawl);

/* How the host is paused by itself; NULL if it is not. */
const struct pv_pause *pv_control_pause_of(
    const struct pv_crawl *crawl, struct pv_str host);

/* Whether it is; or with the whole crawl. */
bool pv_control_is_host_paused(
    const struct pv_crawl *crawl, struct pv_str host);
bool pv_control_is_paused(const struct pv_crawl *crawl, struct pv_str host);

/* Whether a pause keeps the crawl, or a host that it holds, from its
 * requests. */
bool pv_control_holds_any(const struct pv_crawl *crawl);

/* All pauses that hold now, in words (pause_text.h); of the shared ones those of
 * hosts that the crawl has. */
void pv_control_write_all(const struct pv_crawl *crawl, struct pv_buf *buf);

#endif
