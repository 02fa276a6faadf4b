#ifndef PAVANE_FLEET_TAKING_WIDENING_H
#define PAVANE_FLEET_TAKING_WIDENING_H

#include <stdbool.h>
#include <stddef.h>

/* Where a seed is redirected to is in scope (crawl/run/seed_redirect.h), and only
 * the worker that has asked for the seed sees it. Here all others hear of it.
 *
 * The redirects of a crawl are numbered in PostgreSQL. Whoever looks for work sees
 * the last number, and asks for those that it has not heard of. They are in scope
 * at once; then what was refused before is judged again, beside the worker's other
 * work, and if that takes long, not often. Only who has done that, with all
 * redirects there are, is idle: so the crawl does not end before.
 *
 * A worker that starts hears all of them anew.
 */
struct pv_fleet;
struct pv_fleet_results;
struct pv_rejudging;
struct pv_widening;

void pv_widening_init(struct pv_widening *widening);
void pv_widening_finish(struct pv_widening *widening);

/* The answer of PV_SAY_LOOK has come. */
void pv_widening_note(struct pv_fleet *fleet,
    const struct pv_fleet_results *results, size_t step);

/* Goes on, if it is time and nothing is under way. */
void pv_widening_step(struct pv_fleet *fleet);

/* Whether all redirects that are known of are heeded. */
bool pv_widening_is_done(const struct pv_widening *widening);

/* How what others have refused is judged as it is taken over; NULL where it is
 * taken over as it is. */
struct pv_rejudging *pv_widening_judge(const struct pv_fleet *fleet);

#endif
