#ifndef PAVANE_FLEET_GIVING_GIVING_H
#define PAVANE_FLEET_GIVING_GIVING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/str.h"

/* Clocks that a worker gives to another one while it runs, and addresses with all
 * clocks that live there.
 *
 * From when a gift is made nothing new is asked at its clocks (the limiter of
 * fleet/net/net_addresses.h). The hosts that the conductor holds are given back when
 * nothing of them is under way, and then none of them is given out any more; all
 * that has changed of them is passed on; then they are another's here, in one
 * transaction, and after that in PostgreSQL, which marks them for who is to have
 * them. If the line is lost meanwhile, the worker asks PostgreSQL what it owns,
 * and begins anew.
 *
 * A gift is whole: none of its clocks goes before all may go.
 */
struct pv_fleet;
struct pv_giving;
struct pv_net_group;

void pv_giving_init(struct pv_giving *giving, struct pv_hash_key key);
void pv_giving_finish(struct pv_giving *giving);

/* For that worker (0: for any other). Nothing happens if it is given away
 * already. */
void pv_giving_add_clock(
    struct pv_fleet *fleet, struct pv_str clock, int64_t worker);

/* The same for a whole group, unless a part of it is given away already: then it
 * waits for another time. */
void pv_giving_add_group(
    struct pv_fleet *fleet, const struct pv_net_group *group, int64_t worker);

/* The same for a clock, and for all that hangs together with it at addresses. */
void pv_giving_add_all_with(
    struct pv_fleet *fleet, struct pv_str clock, int64_t worker);

/* Whether that clock is being given away. */
bool pv_giving_has(const struct pv_giving *giving, struct pv_str clock);

/* Goes on, if it is time and nothing is under way. */
void pv_giving_step(struct pv_fleet *fleet);

/* A host that was held has been given back: it is looked at at once, before it is
 * given out again. */
void pv_giving_note_host(struct pv_fleet *fleet, uint64_t host_id);

/* What is owned changes: nothing is to be claimed or loaded meanwhile. */
bool pv_giving_is_committing(const struct pv_giving *giving);

/* Whether nothing is being given away. */
bool pv_giving_is_done(const struct pv_giving *giving);

#endif
