#ifndef PAVANE_EXPLAIN_STATE_VIEW_H
#define PAVANE_EXPLAIN_STATE_VIEW_H

#include "crawl/robots/robots_store.h"
#include "policy/shard.h"
#include "record/host.h"
#include "store/orders.h"
#include "store/tables/state_addresses.h"

/* A look into a crawl's directory, running or not: what is known there of one
 * address, of its host, and of its host's robots.txt. Nothing is changed, and
 * a crawl that is running is not disturbed.
 */
struct pv_url;
struct pv_why;
struct pv_state_view;

struct pv_state_view_pause {
	int64_t until_wall_ms; /* 0: none; INT64_MAX: until it is resumed */
	char why[PV_ORDER_WHY_MAX + 1];
};

struct pv_state_view_answer {
	bool is_running;                         /* somebody crawls there */
	struct pv_state_view_pause pause;        /* of host or crawl */
	struct pv_state_view_pause shared_pause; /* of the host, in all crawls
						    of the process that runs
						    this one */
	bool follows_no_links; /* each address is asked for by itself */
	struct pv_shard shard; /* of a crawl that is divided */
	uint64_t pages;        /* of all hosts */
	uint64_t bytes;

	bool is_known;                   /* the address ... */
	struct pv_state_address address; /* ... without its texts */
	struct pv_buf via;     /* where it was found; empty for a seed */
	struct pv_buf refusal; /* "no-pdf: we want no PDF": why the program that
				  ran the crawl refused it; empty: it did not */

	bool has_host;
	struct pv_host host;
	enum pv_holding holding;

	struct pv_saved_robots robots; /* of its authority */
	struct pv_buf robots_copy;     /* the last good one */
};

/* NULL, with the reason, if there is no crawl, or its state cannot be read. */
struct pv_state_view *pv_state_view_open(
    const char *directory, struct pv_why *why);
void pv_state_view_close(struct pv_state_view *look);

void pv_state_view_answer_init(struct pv_state_view_answer *answer);
void pv_state_view_answer_finish(struct pv_state_view_answer *answer);

/* What is known of an address in its crawl identity. False, with the reason,
 * if the state cannot be read. */
bool pv_state_view_at(struct pv_state_view *look, const struct pv_url *url,
    struct pv_state_view_answer *answer, struct pv_why *why);

#endif
