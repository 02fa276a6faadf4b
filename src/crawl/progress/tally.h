#ifndef PAVANE_CRAWL_PROGRESS_TALLY_H
#define PAVANE_CRAWL_PROGRESS_TALLY_H

#include "frontier/frontier.h"
#include "pavane/pavane.h"

/* How many there are of each sort, for who shows it: the largest first. Where
 * there are more sorts than places, those are left out of which there are
 * fewest. */

void pv_tally_add(struct pavane_tallies *tallies, const char *word,
    const char *sentence, uint64_t count);
void pv_tally_sort(struct pavane_tallies *tallies);

/* Addresses that were refused, by their reason; visits that are done, by their
 * outcome. */
void pv_tally_reasons(
    struct pavane_tallies *tallies, const struct pv_counts *counts);
void pv_tally_outcomes(
    struct pavane_tallies *tallies, const struct pv_counts *counts);

#endif
