#ifndef PAVANE_FLEET_PASSING_H
#define PAVANE_FLEET_PASSING_H

#include "frontier/sqlite/engine.h"
#include "frontier/sqlite/handover.h"

/* What a worker passes on: rows that have changed in its state go to PostgreSQL,
 * in batches, one after the other.
 *
 * A batch is taken in a transaction of the state, and sent when that is on the
 * disk. When PostgreSQL has it, the state forgets the marks, in the next
 * transaction. A report comes back to its sender when all is passed on that it
 * has changed: so what was asked for twice, after a worker was lost, was in flight
 * when it was lost.
 */
struct pv_fleet;
struct pv_fleet_request;

struct pv_passing {
	struct pv_tables_work work;
	struct pv_parcels parcels;
	bool is_taking;
	bool is_sending;
	int64_t now_ms;      /* the crawl's clock, as of the take */
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
	bool is_giving_up; /* nothing is waited for any more: it is passed on by
			      the next start */
};

void pv_passing_init(struct pv_passing *passing);
void pv_passing_finish(struct pv_passing *passing);

/* A report that is given to the state: it comes back when it was passed on. False
 * if the state has no room for it. */
bool pv_passing_report(
    struct pv_fleet *fleet, struct pv_report *report, int64_t now);

/* The link of that number was taken over, in a transaction that is committed. */
void pv_passing_drop_link(struct pv_passing *passing, int64_t number);

/* Something has changed, and is on the disk. */
void pv_passing_note_change(struct pv_fleet *fleet);

/* Goes on, if there is something and nothing is under way. */
void pv_passing_step(struct pv_fleet *fleet);

/* Whether all is passed on, as far as is known. */
bool pv_passing_is_done(const struct pv_passing *passing);

/* All reports come back as they are, now and later. */
void pv_passing_give_up(struct pv_fleet *fleet);

#endif
