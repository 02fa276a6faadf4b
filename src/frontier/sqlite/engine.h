#ifndef PAVANE_FRONTIER_SQLITE_ENGINE_H
#define PAVANE_FRONTIER_SQLITE_ENGINE_H

#include "frontier/frontier.h"
#include "store/store.h"

/* The frontier in the crawl's state file: for one machine.
 *
 * Papers become jobs of the store's writer, so they come back when the sender
 * receives (store/writer.h), and what they say is committed with its groups.
 * `recent_count` links, a power of two, are remembered in memory, 16 bytes
 * each.
 */
#define PV_FRONTIER_RECENT ((size_t)1 << 20)

/* For a store that is open and not started yet; puts in order what the last run
 * left. NULL, with the reason, if what the file holds cannot be used. The store
 * outlives the frontier, which is closed when the store's writer has been
 * stopped. */
struct pv_frontier *pv_sqlite_frontier_open(
    struct pv_store *store, size_t recent_count, struct pv_why *why);

/* Work on the tables that other papers do not do, such as what a fleet's worker
 * passes on and takes over (frontier/sqlite/handover.h): a paper of its own. */
struct pv_tables;

struct pv_tables_work {
	void (*run)(struct pv_tables_work *work, struct pv_tables *tables);
	void (*done)(struct pv_tables_work *work, enum pv_store_status status);
	size_t rows;
	size_t bytes;
};

bool pv_sqlite_frontier_work(
    struct pv_frontier *frontier, struct pv_tables_work *work, int64_t now);

/* Before the writer starts. */
struct pv_tables *pv_sqlite_frontier_tables(struct pv_frontier *frontier);

#endif
