#ifndef PAVANE_FRONTIER_SQLITE_KIND_NUMBERS_H
#define PAVANE_FRONTIER_SQLITE_KIND_NUMBERS_H

#include "store/database.h"

/* The numbers by which addresses know their kinds of pages, where a policy has
 * its kinds in another order than before: in a transaction of the caller's.
 *
 * `numbers` has PV_PAGE_KINDS_MAX + 1 of them (record/standing.h): the new one
 * of each. What was of a kind that is 0 now is of none, and what its link
 * brought along goes. Faults are the database's. */
void pv_kind_numbers_map(
    struct pv_database *database, const unsigned char *numbers);

#endif
