#ifndef PAVANE_CRAWL_PROGRESS_SAVED_PAUSES_H
#define PAVANE_CRAWL_PROGRESS_SAVED_PAUSES_H

#include "base/buf.h"
#include "store/database.h"

/* Pauses that hold in all crawls of the process that runs this one, as its state
 * has them (store/tables/pause_notes.h), for who looks from another process. They
 * are none of the crawl's, and end with the run. */

/* Appends those that hold at that time in words, of hosts for which the crawl has
 * something to do: no other keeps it from anything. */
void pv_saved_pauses_write(
    struct pv_database *database, int64_t wall_ms, struct pv_buf *text);

#endif
