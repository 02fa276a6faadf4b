#ifndef PAVANE_CRAWL_PROGRESS_SPREAD_H
#define PAVANE_CRAWL_PROGRESS_SPREAD_H

#include "pavane/progress.h"

/* How long something took, many times, counted in a few steps that are always the
 * same, so that counts of several crawls and times can be added up. (A histogram,
 * record/histogram.h, says what most stayed under, and is larger.) */
void pv_spread_init(struct pavane_spread *spread);

/* What is negative did not happen. */
void pv_spread_add(struct pavane_spread *spread, int64_t time_us);

#endif
