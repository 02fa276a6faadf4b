#ifndef PAVANE_FLEET_GIVING_SHARING_H
#define PAVANE_FLEET_GIVING_SHARING_H

/* Fair shares of work: a worker that has hosts to ask gives some of them to others
 * that are idle, such as one that joins late.
 *
 * With each beat it hears who is idle. Of the clocks that have something left it
 * gives the idle ones' part away, as many as there are workers; but no more than
 * some at a time, and whole groups only (fleet/clocks/net_table.h), since what lives at
 * one address cannot be divided. What came from another worker stays until one of its
 * hosts was asked.
 *
 * Who can ask nothing, since its disk is full, is given nothing, and gives all but what
 * waits for another clock: its addresses first.
 */
struct pv_fleet;
struct pv_sharing;

/* A beat has told who is idle. */
void pv_sharing_look(struct pv_fleet *fleet);

/* There is more to share. */
void pv_sharing_note_owned(struct pv_fleet *fleet);

/* Beats, to hear who is idle, where somebody was, and there is more to share, or
 * something was still being given. */
void pv_sharing_step(struct pv_fleet *fleet);

void pv_sharing_finish(struct pv_sharing *sharing);

#endif
