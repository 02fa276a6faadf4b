#ifndef PAVANE_EXPLAIN_STATE_VIEW_H
#define PAVANE_EXPLAIN_STATE_VIEW_H

#include "crawl/robots/robots_store.h"
#include "policy/shard.h"
#include "record/host.h"
#include "store/orders.h"
#include "store/tables/state_addresses.h"

/* A look into a crawl's directory, running or not: what is known there of one
 * address, of its host, and of its host's robots.txt. Nothing is changed, and
 * a crawl that is running is not disturbed. What a fleet's database knows takes the
 * same form (api/look/fleet_view.h).
 */
struct pv_url;
struct pv_why;
struct pv_state_view;

struct pv_state_view_pause {
	int64_t until_wall_ms; /* 0: none; INT64_MAX: until it is resumed */
	char why[PV_ORDER_WHY_MAX + 1];
};

/* Who has the host in a fleet. */
struct pv_state_view_fleet {
	bool is_there;       /* it is a fleet of which this is known */
	bool is_finished;    /* its crawl */
	bool is_on_its_way;  /* the address is known only by a link that the
			       host's owner has not taken yet */
	bool has_clock;      /* a worker has it, has had it, or is to have it */
	int64_t worker;      /* that owns the host's clock; 0: nobody */
	bool is_silent;      /* and was not heard of for too long */
	int64_t seen_ms;     /* how long ago it was */
	struct pv_buf place; /* of it: "host:directory" */
	int64_t left_ms; /* of the clock's rest, as far as it was passed on */
	size_t living;   /* workers that are heard of */
};

struct pv_state_view_answer {
	bool is_running;                         /* somebody crawls there */
	struct pv_state_view_pause pause;        /* of host or crawl */
	struct pv_state_view_pause shared_pause; /* of the host, in all crawls
						    of the process that runs
						    this one */
	bool follows_no_links; /* each address is asked for by itself */
	struct pv_shard shard; /* of a crawl that is divided */
	struct pv_state_view_fleet fleet;
	uint64_t pages; /* of all hosts */
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

/* Of two pauses the later end counts; NULL is none. */
void pv_state_view_note_pause(
    const struct pv_pause *pause, struct pv_state_view_pause *noted);

/* The host's clock rests for so long, whatever is saved of that. */
void pv_state_view_set_rest(
    struct pv_state_view_answer *answer, int64_t left_ms, int64_t wall_ms);

void pv_state_view_answer_init(struct pv_state_view_answer *answer);
void pv_state_view_answer_finish(struct pv_state_view_answer *answer);

/* What is known of an address in its crawl identity. False, with the reason,
 * if the state cannot be read. */
bool pv_state_view_at(struct pv_state_view *look, const struct pv_url *url,
    struct pv_state_view_answer *answer, struct pv_why *why);

#endif
