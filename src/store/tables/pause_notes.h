#ifndef PAVANE_STORE_TABLES_PAUSE_NOTES_H
#define PAVANE_STORE_TABLES_PAUSE_NOTES_H

#include "store/database.h"
#include "store/orders.h"

/* Pauses of hosts that hold in all crawls of the process that runs this one, for
 * those who look at the crawl from another process. The process has them in
 * memory alone (crawl/control/shared_pauses.h), and each run notes them as they
 * are. They end with the run: what an earlier one noted is not read, and who
 * reads asks first whether somebody runs the crawl. */

/* In a transaction. `run` is the number of the run that notes them; `pauses` is
 * what pv_orders_write has made of them. */
void pv_pause_notes_set(
    struct pv_database *database, int64_t run, struct pv_str pauses);

/* What the latest run has noted, into empty orders. */
void pv_pause_notes_get(struct pv_database *database, struct pv_orders *pauses);

#endif
