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

#endif
