#ifndef PAVANE_STORE_TABLES_MERGED_NOTES_H
#define PAVANE_STORE_TABLES_MERGED_NOTES_H

#include "store/tables/merged_state.h"

/* The notes of a crawl's state that a merged one has as well: the policies of its
 * runs, by the numbers that these have there; its name; and the figures of
 * `pavane status`, which are added up. */
void pv_merged_notes_copy(
    struct pv_database *database, const struct pv_merged_source *source);

#endif
