#ifndef PAVANE_SERVE_FIGURES_SUMS_H
#define PAVANE_SERVE_FIGURES_SUMS_H

#include "serve/figures/figures.h"

/* Figures of crawls, added up. */

/* Takes what a run has counted by now; nothing becomes less. */
void pv_counted_raise(
    struct pv_counted *counted, const struct pavane_progress *progress);
void pv_counted_add(struct pv_counted *sum, const struct pv_counted *more);

void pv_momentary_set(
    struct pv_momentary *now, const struct pavane_progress *progress);
void pv_momentary_add(
    struct pv_momentary *sum, const struct pv_momentary *more);

#endif
