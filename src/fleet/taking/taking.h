#ifndef PAVANE_FLEET_TAKING_TAKING_H
#define PAVANE_FLEET_TAKING_TAKING_H

#include <stdbool.h>

#include "base/hash.h"

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
struct pv_taking;

void pv_taking_init(struct pv_taking *taking, struct pv_hash_key key);
void pv_taking_finish(struct pv_taking *taking);

/* Goes on, if it is time and nothing is under way. */
void pv_taking_step(struct pv_fleet *fleet);

/* Whether nothing is on its way into the state. */
bool pv_taking_is_done(const struct pv_taking *taking);

#endif
