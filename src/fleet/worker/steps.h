#ifndef PAVANE_FLEET_WORKER_STEPS_H
#define PAVANE_FLEET_WORKER_STEPS_H

#include "base/system.h"
#include "fleet/clocks/linked.h"
#include "fleet/clocks/net_table.h"
#include "fleet/clocks/taken.h"
#include "fleet/clocks/ties.h"
#include "fleet/shares/allowance.h"
#include "frontier/sqlite/engine.h"
#include "frontier/sqlite/parcels.h"
#include "frontier/sqlite/readmission.h"

/* How far each of a worker's steps is (struct pv_fleet). What a step does, and for
 * what, is said where its functions are, in the header that is named; they alone
 * change it, but for what others ask of it by a field.
 */

/* fleet/passing/passing.h */
struct pv_passing {
	struct pv_tables_work work;
	struct pv_parcels parcels;
	bool is_taking;
	bool is_sending;
	struct pv_time now;  /* the crawl's clock, as of the take ... */
	int64_t ahead_ms;    /* ... and how far the server's is ahead */
	int64_t rests_until; /* by the loop's clock */
	bool has_changes;    /* since the last take, maybe */
	int64_t passed;      /* up to which change, not forgotten yet */
	bool is_in_round;    /* of batches ... */
	int64_t target;      /* ... which ends with that change */
	uint64_t begun;      /* rounds so far ... */
	uint64_t ended;      /* ... and up to which they have ended */
	uint64_t given;      /* reports so far ... */
	uint64_t waiting;    /* ... that did not come back yet ... */
	uint64_t covered;    /* ... and which of them this round has */
	struct pv_passed_report *first;
	struct pv_passed_report **last;

	/* Links that were taken over, and may go when this round has ended, or
	 * the next one has. */
	int64_t *drops;
	size_t drop_count;
	size_t drop_size;
	size_t covered_drops;

	size_t links_step;       /* of what was sent (fleet/passing/batch.h) */
	struct pv_linked linked; /* by the batch before */

	bool has_let_go;   /* no report waits any more */
	bool is_giving_up; /* nothing is waited for any more: it is passed on by
			      the next start */
};

/* fleet/taking/taking.h: so many hosts' addresses are asked for in one request. */
#define PV_TAKING_HOSTS_MAX 32

enum pv_taking_step {
	PV_TAKING_NOTHING,
	PV_TAKING_LOOK,      /* for links, and clocks that are free */
	PV_TAKING_CLAIMED,   /* what it owns already */
	PV_TAKING_HOSTS,     /* of claimed clocks */
	PV_TAKING_ADDRESSES, /* of these */
	PV_TAKING_LINKS,     /* the same */
	PV_TAKING_NOTES,     /* what is counted of them */
	PV_TAKING_OWN,       /* all that was loaded */
};

struct pv_taking {
	enum pv_taking_step step;
	bool is_under_way;             /* a request, or work */
	bool is_to_put;                /* work that the state had no room for */
	bool has_found;                /* something, at the last look */
	size_t bad;                    /* parcels that made no sense */
	struct pv_time now;            /* of the work */
	int64_t ahead_ms;              /* the server's clock, then */
	struct pv_rejudging *readmits; /* the same */
	bool has_looked;               /* at what it owned before ... */
	struct pv_buf last_claimed;    /* ... or as far as that name */
	int64_t look_at;               /* by the loop's clock */
	struct pv_tables_work work;
	struct pv_parcels parcels; /* on their way into the state */
	int64_t *numbers;          /* of the links among them */
	size_t number_count;
	size_t number_size;

	/* what is taken over */
	struct pv_taken clocks;
	struct pv_taken hosts;
	struct pv_buf last_host; /* that was loaded; by their names */
	bool has_more_hosts;
	size_t asked[PV_TAKING_HOSTS_MAX]; /* whose addresses are asked for */
	size_t asked_count;
	int64_t behind; /* links behind which */
	bool has_more;

	uint64_t owned;  /* clocks */
	int64_t claimed; /* at the last look, if there were as many as it asked
			    for; else 0 */
};

/* fleet/giving/giving.h */
struct pv_giving {
	struct pv_gift *first;
	struct pv_gift **last;
	struct pv_map clocks; /* of all gifts, to nothing */

	/* Those that the work in the state is about, or the request to
	 * PostgreSQL; one at a time. */
	struct pv_gift **chosen;
	size_t chosen_count;
	size_t chosen_size;
	struct pv_tables_work work;
	bool is_working;
	bool is_committing; /* they are another's here, or will be then */
	int64_t look_at;    /* whether hosts have come back */
	uint64_t *held;     /* hosts that the conductor has to give back */
	size_t held_count;
	size_t held_size;
	bool is_asking_back; /* for these, just now */
};

/* fleet/giving/naming.h */
struct pv_naming {
	struct pv_named_host *first;
	struct pv_ties ties; /* of those that are asked for, and who asks */
};

/* fleet/net/net_addresses.h */
struct pv_net_addresses {
	struct pv_net_table table;
	bool is_asking;
	bool has_new;    /* addresses of which it is not known whose they are */
	int64_t look_at; /* whether others want one of ours; by the loop's
			    clock */
};

/* fleet/giving/sharing.h */
struct pv_busy_clock {
	char *name;      /* owned */
	bool owes_delay; /* one of its hosts does */
	bool was_asked;  /* here, one of its hosts */
};

struct pv_sharing {
	struct pv_tables_work work;
	bool is_looking;
	bool beats_again;   /* somebody may wait, and get something ... */
	int64_t beat_at;    /* ... then */
	size_t own_count;   /* clocks of its own, those with nothing
					 left included until it has looked */
	bool is_halted;     /* nothing can be asked here ... */
	bool is_on_standby; /* ... for want of a share */
	struct pv_busy_clock *clocks; /* that have something left */
	size_t clock_count;
	size_t clock_size;
	struct pv_map places; /* of their names there */
};

/* fleet/taking/widening.h */
struct pv_widening {
	int64_t last;   /* there is, as far as is known */
	int64_t heard;  /* and is in scope ... */
	int64_t heeded; /* ... and what was refused before is judged */
	bool is_asking;
	int64_t asked_for; /* as far as was known then */

	struct pv_buf urls; /* that make the scope wider, each on its line */
	bool is_due;        /* what was refused is to be judged */

	/* The judging that is under way. */
	bool is_judging;
	struct pv_readmission readmission;
	struct pv_buf covered_urls; /* that were heard before it began ... */
	int64_t covered;            /* ... up to which number */
	struct pv_tables_work work;
	bool is_working;
	bool has_more;
	bool is_settled;    /* no page is read by the scope of before */
	int64_t settles_at; /* by the loop's clock, as these: */
	int64_t step_at;
	int64_t step_began;
	int64_t spent_ms;
};

/* fleet/taking/left_over.h */
struct pv_left_over {
	struct pv_buf workers; /* that live no longer, as a text; "" for none */
	int64_t redirects;   /* up to which number these are heeded for them */
	int64_t fingerprint; /* of the last address that was sent ... */
	int64_t worker;      /* ... and who had refused it */
	bool is_sending;
};

/* fleet/granting.h */
struct pv_granting {
	struct pv_fleet_allowance allowance; /* which the crawl heeds */
	bool is_asking;
	bool has_wanted;    /* that question was for more, and no mere look */
	int64_t ask_at;     /* it looks again, at the earliest */
	int64_t seen_pages; /* its own counts, when they have grown last ... */
	int64_t seen_bytes;
	int64_t grown_at;    /* ... and when that was */
	int64_t asked_pages; /* as of the question */
	int64_t asked_bytes;
};

#endif
