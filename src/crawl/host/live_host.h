#ifndef PAVANE_CRAWL_HOST_LIVE_HOST_H
#define PAVANE_CRAWL_HOST_LIVE_HOST_H

#include "base/system.h"
#include "crawl/host/clock_claims.h"
#include "crawl/host/host_limits.h"
#include "crawl/host/host_visits.h"
#include "crawl/host/known_page.h"
#include "crawl/progress/host_events.h"
#include "crawl/robots/authority.h"
#include "crawl/robots/robots_pace.h"
#include "crawl/visit/pacing.h"
#include "crawl/visit/retry_budget.h"
#include "frontier/frontier.h"
#include "names/names.h"
#include "policy/domains.h"
#include "record/outcome.h"
#include "record/verdict.h"

/* A host that we hold: the frontier has given it to us, with its next visits,
 * and gets it back when there is nothing left to ask it for. */
enum pv_host_phase {
	PV_HOST_NAMELESS, /* its name is being looked up, or will be again */
	PV_HOST_PACED,    /* the schedule has it */
	PV_HOST_REFUSED,  /* it cannot or may not be asked: its visits end */
	PV_HOST_LEAVING,  /* it is being given back */
};

struct pv_crawl;
struct pv_proxy;
struct pv_schedule_host;

struct pv_live_host {
	struct pv_crawl *crawl; /* that holds it */
	uint64_t id;
	struct pv_str name; /* its own */
	enum pv_host_phase phase;

	/* where it is, and how it is treated */
	struct pv_address address;
	uint16_t port; /* where the policy says so; else 0, the URL's */
	struct pv_proxy *proxy;   /* whose these two are; NULL: it is reached
				   without */
	struct pv_proxy *in_vain; /* by which it has not answered; NULL: none */
	bool has_no_proxy;        /* it waits until one of its own works */
	struct pv_host_manners manners;
	struct pv_schedule_host *scheduled; /* NULL while it has no address */
	struct pv_host_state state; /* as it was when it came; pages, bytes
				       and blocks are kept up to date */
	bool owes_delay;
	int64_t came_at;             /* when we got it */
	int64_t saved_until;         /* its clock's rest, as the state file */
	int64_t saved_address_until; /* has it, and that of its address */
	bool is_unsaved;             /* its state is another for good */
	bool was_held; /* before, in this run: the schedule knows its clock */
	struct pv_pacing_host pacing;
	int64_t name_until; /* how long its address counts */
	int64_t name_ms;    /* how long it took to look up; -1: not lately */
	int64_t look_up_at; /* once more, where nobody could say */
	bool is_looked_up;  /* now */

	/* why it is refused */
	enum pv_outcome outcome;
	enum pv_reason reason;
	char *why; /* owned; NULL for none */

	struct pv_task_list tasks; /* all of them */
	struct pv_task_line ready; /* that the schedule has no room for */
	struct pv_task_line later; /* that failed, and rest */
	struct pv_authority *authorities;
	struct pv_robots_pace robots_pace;
	struct pv_known_page known; /* that a probe may ask for */
	uint32_t open; /* tasks that were released and are not closed */
	struct pv_host_claims claims;
	struct pv_host_limits limits;
	struct pv_host_feed feed;
	bool is_unwelcome; /* it has refused so much that it is left, once its
			      robots.txt has been read again */
	struct pv_retry_budget retries;
	struct pv_host_telling telling;
	struct pv_host_return *giving; /* while it leaves; owned */
};

struct pv_live_host *pv_live_host_create(const struct pv_host *host);

/* With its tasks; nothing of it may be open or scheduled. */
void pv_live_host_destroy(struct pv_live_host *host);

/* Keeps a copy of why it is refused, or could not be found. */
void pv_live_host_tell_why(struct pv_live_host *host, const char *why);

/* Whether anything has ever answered there, by any scheme and at any port. */
bool pv_live_host_has_answered(const struct pv_live_host *host);

/* The host's authority is asked for on its behalf from now. */
void pv_live_host_adopt(
    struct pv_live_host *host, struct pv_authority *authority);

/* A visit of it is opened, and closed. */
void pv_live_host_open_visit(struct pv_live_host *host);
void pv_live_host_close_visit(struct pv_live_host *host);

/* The host as it is to be written to the state file. */
struct pv_host_state pv_live_host_state(
    const struct pv_live_host *host, struct pv_time now);

/* The same for a report of one of its visits, with which it is saved. */
struct pv_host_state pv_live_host_report(
    struct pv_live_host *host, struct pv_time now);

/* Its clock, and its address's, are in the state file as they are in
 * `state`. */
void pv_live_host_note_clocks(
    struct pv_live_host *host, const struct pv_host_state *state);

/* Whether the state file has it as it is in `state`, but for the time that has
 * passed since. */
bool pv_live_host_is_saved(
    const struct pv_live_host *host, const struct pv_host_state *state);

/* It is noted as refused no more (host_visits.h). */
void pv_live_host_forget_refused(struct pv_live_host *host);

/* Whether it is to be asked for a robots.txt, be it another host's, or for a
 * page that is known; or such a page is being looked for. */
bool pv_live_host_has_asks(const struct pv_live_host *host);

/* Whether its name is to be looked up when a pause has ended. */
bool pv_live_host_is_name_paused(const struct pv_live_host *host);

/* Whether it has nothing to ask for, as far as it knows. */
bool pv_live_host_is_idle(const struct pv_live_host *host);

#endif
