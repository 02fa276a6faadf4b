#ifndef PAVANE_FLEET_WORKER_WORKER_H
#define PAVANE_FLEET_WORKER_WORKER_H

#include <uv.h>

#include "base/lease.h"
#include "fleet/beats/beats.h"
#include "fleet/beats/clock_events.h"
#include "fleet/line/line.h"
#include "fleet/tables/statements.h"
#include "fleet/worker/options.h"
#include "fleet/worker/steps.h"
#include "frontier/sqlite/handover.h"
#include "loop/clock.h"

/* What holds for the whole crawl from when a worker comes until the last one has
 * gone. */
struct pv_fleet_terms {
	int64_t policy; /* its number, from 1 */
	int64_t round;  /* the same */
	int64_t began_ms;
	int64_t before_ms; /* what was heard of then is due in the round ... */
	bool takes_failed; /* ... and what failed */
	bool is_waking;    /* all clocks: who comes goes on with that */
	bool begins_round; /* this worker has begun it */
	int64_t
	    sent_policy; /* the last under which what was refused was sent */
};

/* What was refused at hosts of others becomes links by another policy, if that may
 * admit it. */
struct pv_refused {
	int64_t fingerprint; /* of the last one, ... */
	int64_t worker;      /* ... and who had found it */
	bool has_more;
	int64_t oldest; /* policy that is known: what was refused before that is
			   sent for any reason */
	int64_t *open;  /* for PV_SAY_REFUSED_CLOCKS */
	size_t open_count;
	size_t open_size;
};

/* Who was dead, and when that was told. */
struct pv_fleet_reaped {
	int64_t worker;
	int64_t boot_ms;
};

/* One worker of a fleet: what those who make it up share, in this room and those
 * above it. */
struct pv_fleet {
	struct pv_fleet_options options;
	struct pv_names *names;           /* of PostgreSQL's host ... */
	struct pv_policy *names_policy;   /* ... of which no crawl's policy says
					   anything */
	struct pv_fleet_line *line;       /* for all but ... */
	struct pv_fleet_line *beats_line; /* ... the beats */
	char *why;               /* it cannot go on; NULL: it can. Owned */
	struct pv_buf trouble;   /* why the line was lost last */
	int64_t tell_trouble_at; /* the next time that the same is told */
	char told_state[6];      /* of the refusal that was told last ... */
	int64_t told_at;         /* ... and when */
	bool is_up;
	uint64_t connections; /* so often it was */
	bool are_beats_up;    /* their line is */
	uint64_t answers;     /* of the line, as last seen ... */
	int64_t
	    heard_at; /* ... and when that was another number, or nothing was
			      waited for */

	/* What the start waits for. */
	void (*on_start)(
	    struct pv_fleet *fleet, const struct pv_fleet_results *results);
	bool is_asking;
	bool has_answer;
	bool has_had_enough;
	int64_t ask_enough_at;   /* the next time that it is asked, ... */
	int64_t tell_waiting_at; /* ... and that it is told; at the earliest */

	int64_t crawl;  /* its number ... */
	int64_t worker; /* ... and ours; 0: none */
	struct pv_hash_key key;
	struct pv_buf policy;     /* as the database has it ... */
	struct pv_buf own_policy; /* ... and the worker; until it has begun */
	int64_t others;           /* workers that lived then */
	struct pv_fleet_terms terms;
	struct pv_silent_look *look;    /* at workers that may be dead; NULL */
	struct pv_fleet_reaped *reaped; /* before it was one itself ... */
	size_t reaped_count;
	size_t reaped_size; /* ... which is written for the audit then */
	struct pv_refused refused;
	struct pv_buf woken; /* the last clock of those that were woken */
	bool is_finished;
	bool is_lost;
	bool is_gone; /* ... and there is nothing to join again */
	const char *lost_why;
	bool is_lost_told;
	int64_t joined_wish; /* as pv_fleet_wish says */
	int64_t heard_wish;  /* the last that was heeded */
	bool is_looking;     /* for a further one ... */
	bool looks_again;    /* ... of which it has heard meanwhile */
	struct pv_fleet_value fence[2]; /* of PV_SAY_FENCE: worker, session */
	bool is_in_session; /* what an earlier connection has left on its way is
			       of no use any more */
	int64_t activity;   /* a number for each request that says whether it is
			     busy */

	struct pv_store *store;
	struct pv_frontier *frontier;
	const struct pv_frontier_engine *inner; /* the frontier's own ... */
	struct pv_frontier_engine engine;       /* ... and the one over it */
	pv_work_fn on_work;                     /* the conductor's */
	void *work_ctx;
	bool keeps_number; /* that its directory had before */
	struct pv_lease lease;
	struct pv_clock_events events;
	struct pv_fleet_beats beats;
	bool has_beats;
	struct pv_fleet_server
	    server; /* as of the last time that the line was up */
	int64_t
	    server_offset_ms; /* of its clock to ours, a moment before ... */
	int64_t server_uncertainty_ms; /* ... give or take so many */
	struct pv_handover handover;
	bool has_handover;
	struct pv_passing passing;
	struct pv_taking taking;
	struct pv_giving giving;
	struct pv_naming naming;
	struct pv_granting granting;
	struct pv_net_addresses net;
	struct pv_sharing sharing;
	struct pv_widening widening;
	struct pv_left_over left_over;

	/* A count that waits until there is something to do, or all is done. */
	struct pv_count_request *held_count;
	void (*count_done)(
	    struct pv_count_request *request, enum pv_store_status status);
	void *count_ctx;
	bool is_counted;     /* and there is nothing left here */
	bool has_work_since; /* since the count began: it may not know */
	bool is_asking_to_finish;
	bool is_calling;   /* with that */
	bool is_to_call;   /* the same, for something to do ... */
	int64_t call_at;   /* ... at the earliest */
	int64_t finish_at; /* it is asked again, at the earliest */

	/* The end of the run. */
	struct pv_host_returns *leaving;
	void (*leaving_done)(
	    struct pv_host_returns *giving, enum pv_store_status status);
	void *leaving_ctx;
	enum pv_store_status leaving_status;
	bool has_given_all;
	bool is_leaving;
	int64_t leave_by;

	uv_timer_t timer;
	uv_timer_cb go_on;
	uv_timer_t soon; /* for what is to be done in the next turn */
	bool is_hurried;
};

/* Between two looks where there was nothing. */
#define PV_FLEET_LOOK_MS 200

/* What a worker that stops may take to pass on its changes; and where it has waited for
 * the database in vain before. */
#define PV_FLEET_LEAVE_MS 2000
#define PV_FLEET_LEAVE_SOON_MS 500

/* There may be something to do: the fleet goes on in the loop's next turn. */
void pv_fleet_wake(struct pv_fleet *fleet);

/* There are more workers than shares (fleet/shares/share.h), and this one has none:
 * until it has, it owns nothing. */
bool pv_fleet_is_on_standby(const struct pv_fleet *fleet);

/* It cannot go on, for a reason that is copied: the first one counts. */
void pv_fleet_fail(struct pv_fleet *fleet, const char *why);

/* This connection counts from now on, and no other. */
void pv_fleet_begin_session(struct pv_fleet *fleet, int64_t session);

#define PV_FLEET_WAS_SILENT                                                \
	"this worker was silent for too long, and others have taken over " \
	"its hosts"

#define PV_FLEET_TABLES_GONE                                                    \
	"the fleet's tables are no longer in its database: somebody has "       \
	"removed them; what this worker has fetched is kept in its directory, " \
	"and to begin the crawl anew all workers need new directories"

/* The worker has lost its number. */
void pv_fleet_lose(struct pv_fleet *fleet, const char *why);

/* What it owns is not known any more: it looks once more. */
void pv_fleet_doubt(struct pv_fleet *fleet);

/* The server has just said what time it is. */
void pv_fleet_see_time(
    struct pv_fleet *fleet, const struct pv_fleet_server *server);

/* How far the wall clock of PostgreSQL's server is ahead of ours; 0 if that is not
 * known yet. */
int64_t pv_fleet_server_ahead_ms(const struct pv_fleet *fleet);

/* By the crawl's clock. */
static inline struct pv_time pv_fleet_time(const struct pv_fleet *fleet)
{
	return fleet->options.clock_kind->now(fleet->options.clock);
}

/* By the loop's clock. */
static inline int64_t pv_fleet_now(const struct pv_fleet *fleet)
{
	return (int64_t)uv_now(fleet->options.loop);
}

/* Whether requests may be sent, but for beats. */
static inline bool pv_fleet_is_up(const struct pv_fleet *fleet)
{
	return fleet->worker && !fleet->is_lost && fleet->is_in_session &&
	       pv_fleet_line_is_up(fleet->line);
}

/* A request was refused: because of the fence, since the fleet's tables are gone, or
 * for another reason, which is told. */
void pv_fleet_hear_refusal(
    struct pv_fleet *fleet, const struct pv_fleet_answer *answer);

/* How far the worker is. */
void pv_fleet_figures(
    const struct pv_fleet *fleet, struct pv_fleet_figures *figures);

/* The name of the clock of a host. */
struct pv_str pv_fleet_clock_of(
    const struct pv_fleet *fleet, struct pv_str host);

#endif
