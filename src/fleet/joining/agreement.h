#ifndef PAVANE_FLEET_JOINING_AGREEMENT_H
#define PAVANE_FLEET_JOINING_AGREEMENT_H

#include "base/why.h"

/* All workers of a fleet go by one policy, whose text is in the database.
 *
 * Who comes with another one while a worker lives is refused, key by key. Where
 * nobody lives, the new policy takes the place of the other one, unless it
 * changes what rows in the database cannot be changed to: their kinds of pages,
 * and which hosts share a clock.
 */

/* Compares the text of the database's policy with that of the worker's, and adds a
 * problem for each key that may not differ. `has_others`: workers that live.
 * Whether all that is known is to be judged by the new one. */
bool pv_agreement_check(struct pv_str theirs, struct pv_str ours,
    bool has_others, struct pv_place place, struct pv_why *why);

/* Whether they say the same. */
bool pv_agreement_is_same(struct pv_str theirs, struct pv_str ours);

#endif
