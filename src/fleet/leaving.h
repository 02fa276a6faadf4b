#ifndef PAVANE_FLEET_LEAVING_H
#define PAVANE_FLEET_LEAVING_H

#include "frontier/papers.h"

/* How a worker's run ends: with the crawl, or before it.
 *
 * Nothing is left when nobody has anything left: that no worker has anything to
 * do, no clock waits for an owner, and no link for its host's owner stands in one
 * snapshot of PostgreSQL, and what nobody has, nobody can get any more. A worker
 * that has nothing left itself says so, and its count is held back until that is so
 * for all, or it has something to do again.
 *
 * A worker that stops passes on what it has changed, and gives its clocks back.
 */
struct pv_fleet;

bool pv_leaving_count(
    struct pv_fleet *fleet, struct pv_count_request *request, int64_t now);
bool pv_leaving_give_all(
    struct pv_fleet *fleet, struct pv_host_returns *giving, int64_t now);

/* Goes on, if it is time. */
void pv_leaving_step(struct pv_fleet *fleet);

/* There is something to do: who waits for the end hears of it. */
void pv_leaving_note_work(struct pv_fleet *fleet);

/* Nothing is waited for any more. */
void pv_leaving_give_up(struct pv_fleet *fleet);

#endif
