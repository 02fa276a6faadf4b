#ifndef PAVANE_FLEET_PASSING_PASSING_H
#define PAVANE_FLEET_PASSING_PASSING_H

#include <stdbool.h>
#include <stdint.h>

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
struct pv_passing;
struct pv_report;

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

/* Reports come back as soon as they are in the state, now and later. All is still
 * passed on, as far as it can be. */
void pv_passing_let_go(struct pv_fleet *fleet);

/* The same, and nothing is passed on any more. */
void pv_passing_give_up(struct pv_fleet *fleet);

#endif
