#ifndef PAVANE_FLEET_TAKING_LEFT_OVER_H
#define PAVANE_FLEET_TAKING_LEFT_OVER_H

#include <stdbool.h>
#include <stddef.h>

/* What workers have refused that live no longer, and that is in scope since a seed was
 * redirected (widening.h): they may never come back to judge it again. When all that
 * live have done so with theirs, the first that is idle sends it as links to those who
 * own its hosts, which judge it. The crawl does not end before.
 */
struct pv_fleet;
struct pv_fleet_results;
struct pv_left_over;

void pv_left_over_init(struct pv_left_over *left);
void pv_left_over_finish(struct pv_left_over *left);

/* So many workers at a time. */
#define PV_LEFT_OVER_WORKERS_MAX 1000

/* The answer of PV_SAY_UNHEEDED has come. */
void pv_left_over_note(struct pv_fleet *fleet,
    const struct pv_fleet_results *results, size_t step);

/* Sends some, if there are any and none are on their way. */
void pv_left_over_step(struct pv_fleet *fleet);

/* Whether nothing is to be sent, as far as is known. */
bool pv_left_over_is_done(const struct pv_left_over *left);

#endif
