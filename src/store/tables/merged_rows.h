#ifndef PAVANE_STORE_TABLES_MERGED_ROWS_H
#define PAVANE_STORE_TABLES_MERGED_ROWS_H

#include "store/tables/merged_state.h"

/* The rows of one source, copied into a merged state that is settled: addresses
 * and what is known of them, robots.txt, ledgers (summed), updates, and the
 * figures that `pavane status` shows. What only a crawl that goes on needs, such
 * as bodies that are to be continued, stays behind. */

/* False if it was enough. */
bool pv_merged_rows_copy(
    struct pv_merged_state *state, const struct pv_merged_source *source);

/* When all are copied: what is counted of them, and how many runs there were. */
void pv_merged_rows_count(struct pv_merged_state *state, int64_t run_count);

#endif
