#ifndef PAVANE_FLEET_JOINING_TERMS_H
#define PAVANE_FLEET_JOINING_TERMS_H

#include <stdbool.h>
#include <stdint.h>

/* What all workers of a crawl agree on while any of them lives: its policy, and the
 * round it is in.
 *
 * Where no other lives, who comes may change them. Then each clock is woken, so
 * that whoever claims it sees what has become due; rows are brought up to date
 * when they are loaded (frontier/sqlite/renewal.h). What was refused at hosts of
 * others for a reason that has changed becomes links to them before that. Who comes while clocks are being woken
 * goes on with that, since the one who began may be dead.
 */
struct pv_fleet;
struct pv_why;

/* Before the worker is registered. `own` is the number that its directory had
 * before, which may count as living, or 0: set to 0 if that is given up. */
bool pv_terms_agree(struct pv_fleet *fleet, int64_t *own, struct pv_why *why);

/* When it is registered: its state goes by them from now on. */
void pv_terms_begin(struct pv_fleet *fleet);

#endif
