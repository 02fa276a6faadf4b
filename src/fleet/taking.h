#ifndef PAVANE_FLEET_TAKING_H
#define PAVANE_FLEET_TAKING_H

#include "base/system.h"
#include "fleet/taken.h"
#include "frontier/sqlite/engine.h"
#include "frontier/sqlite/handover.h"

/* What a worker takes over: links that others have found of its hosts, and clocks
 * that nobody owns, with all that is known of their hosts.
 *
 * One step after the other: it looks, claims, loads, writes into its state, and
 * owns. What it owns already is not loaded again: its own state knows that better. A
 * claimed clock that is not loaded, since the line was lost or the process
 * ended, is loaded later: PostgreSQL knows who owns it, and nothing of it is asked
 * before.
 */
struct pv_fleet;

/* So many hosts' addresses are asked for in one request. */
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
	struct pv_rejudging *readmits; /* the same */
	bool has_looked;               /* at what it owned before */
	int64_t look_at;               /* by the loop's clock */
	struct pv_tables_work work;
	struct pv_parcels parcels; /* on their way into the state */
	int64_t *numbers;          /* of the links among them */
	size_t number_count;
	size_t number_size;

	/* what is taken over */
	struct pv_taken clocks;
	struct pv_taken hosts;
	size_t asked[PV_TAKING_HOSTS_MAX]; /* whose addresses are asked for */
	size_t asked_count;
	int64_t behind; /* links behind which */
	bool has_more;

	uint64_t owned; /* clocks */
};

void pv_taking_init(struct pv_taking *taking, struct pv_hash_key key);
void pv_taking_finish(struct pv_taking *taking);

/* Goes on, if it is time and nothing is under way. */
void pv_taking_step(struct pv_fleet *fleet);

/* Whether nothing is on its way into the state. */
bool pv_taking_is_done(const struct pv_taking *taking);

#endif
