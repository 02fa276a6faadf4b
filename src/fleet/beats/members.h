#ifndef PAVANE_FLEET_BEATS_MEMBERS_H
#define PAVANE_FLEET_BEATS_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/shares/share.h"

/* What a worker of a fleet knows of the others: who lives, and by which share.
 *
 * Each has a row in the database with a beat, a number that it raises as long as
 * it lives. A worker may declare another one dead once it has seen the same beat
 * for a whole ttl, by its own clock that nobody sets: no clock of another machine
 * decides. The other's lease is counted from before the beat was sent, so it is
 * over by then.
 *
 * While the database does not answer nobody's beat can be raised, so that time
 * counts for nobody; nor does what was seen before a reconnect or a promotion.
 *
 * Pure: times are given, and milliseconds of CLOCK_BOOTTIME.
 */
struct pv_fleet_member {
	int64_t id;
	int64_t beat;
	struct pv_fleet_share share; /* as it has written */
	int64_t clocks;              /* that it owns */
	bool is_idle;                /* it has nothing left to do */
	bool has_room;               /* it has too little for its share */
	bool is_halted;              /* it can ask for nothing */

	int64_t since_ms; /* this beat was first seen */
	int64_t idle_ms;  /* since then it is idle; negative: it is not */
	int64_t tried_ms; /* it was found dead, and somebody held its row; or
			     negative */
};

struct pv_fleet_members {
	int64_t own_id;
	int64_t ttl_ms;
	int64_t heard_ms; /* last; negative: not since the reset */
	struct pv_fleet_member
	    *items; /* all that live, this one as well, by id */
	size_t count;
	size_t size;
};

void pv_fleet_members_init(struct pv_fleet_members *members, int64_t ttl_ms);
void pv_fleet_members_finish(struct pv_fleet_members *members);

/* It goes by this number from now on. */
void pv_fleet_members_enter(struct pv_fleet_members *members, int64_t own_id);

/* All that live, by id, with id, beat and share; who is not among them is none any
 * more. `now_ms` is when the answer came. */
void pv_fleet_members_hear(struct pv_fleet_members *members,
    const struct pv_fleet_member *rows, size_t count, int64_t now_ms);

/* What was seen until now says nothing any more. */
void pv_fleet_members_reset(struct pv_fleet_members *members);

/* The first from that one on that is to be declared dead; NULL if there is none. */
const struct pv_fleet_member *pv_fleet_members_find_dead(
    const struct pv_fleet_members *members, size_t from, int64_t now_ms);

/* Whether somebody has held the row of that dead one for a whole ttl more. */
bool pv_fleet_member_is_stuck(const struct pv_fleet_members *members,
    const struct pv_fleet_member *member, int64_t now_ms);

/* Somebody held the row of a dead one. */
void pv_fleet_members_note_held(
    struct pv_fleet_members *members, int64_t id, int64_t now_ms);

/* It was declared dead. */
void pv_fleet_members_remove(struct pv_fleet_members *members, int64_t id);

/* Whether that one lives. */
bool pv_fleet_members_has(const struct pv_fleet_members *members, int64_t id);

/* How many live, this one as well. */
size_t pv_fleet_members_count(const struct pv_fleet_members *members);

/* Whether this one has had nothing to do for long: the others may have its share then.
 * That is a ttl, or several intervals of the rate, since to get the share back may
 * take one. */
bool pv_fleet_members_is_resting(
    const struct pv_fleet_members *members, const struct pv_rate *whole);

/* Whether this one has said that it has nothing to do. */
bool pv_fleet_members_is_idle(const struct pv_fleet_members *members);

/* Whether there is a share for this one, where there are more workers than shares
 * (fleet/shares/share.h). True as long as it has not heard of itself. */
bool pv_fleet_members_has_place(
    const struct pv_fleet_members *members, const struct pv_rate *whole);

/* The share that this one is to take, by what the others have written. Who rests has
 * none, and none is left for it until it has something to do. */
struct pv_fleet_share pv_fleet_members_share(
    const struct pv_fleet_members *members, const struct pv_rate *whole);

#endif
