#ifndef PAVANE_FRONTIER_SQLITE_LINK_BATCH_H
#define PAVANE_FRONTIER_SQLITE_LINK_BATCH_H

#include "frontier/sqlite/address_table.h"
#include "frontier/sqlite/carry_table.h"
#include "frontier/sqlite/copy_table.h"
#include "frontier/sqlite/count_table.h"
#include "frontier/sqlite/host_table.h"
#include "frontier/sqlite/link_room.h"
#include "frontier/sqlite/own_rounds.h"
#include "record/link.h"

/* The links of a group of pages, on their way into the tables.
 *
 * They are gathered, so that the tables are walked in their own order:
 * fingerprints by origin and from the least to the greatest, hosts by name, new
 * addresses by number. That makes the disk's work several times less. Used on
 * the writer's thread; applied before the transaction ends.
 */
struct pv_link_batch {
	struct pv_address_table *addresses;
	struct pv_host_table *hosts;
	struct pv_count_table *counts;
	struct pv_copy_table *copies;
	struct pv_carry_table *carries;
	struct pv_own_rounds *own_rounds;
	struct pv_link_room *room;
	const uint64_t *round;              /* of the crawl */
	const struct pv_frontier *frontier; /* that gets the refusals; NULL */
	struct pv_link_entry *entries;
	size_t count;
	size_t size;
	uint64_t next_id;
	int64_t wall_ms; /* when the last of these pages was asked */

	/* the page on which the last refused link was found */
	uint64_t via;
	struct pv_buf via_url;

	/* what the links have brought, until somebody takes it */
	uint64_t *woken; /* hosts that were drained */
	size_t woken_count;
	size_t woken_size;
	bool has_waiting_hosts;
};

/* `batch` has the tables. */
void pv_link_batch_init(struct pv_link_batch *batch);
void pv_link_batch_finish(struct pv_link_batch *batch);

/* Gathers some links of a list, which must live until they are applied. */
void pv_link_batch_add(struct pv_link_batch *batch,
    const struct pv_link_list *links, size_t first, size_t end);

/* The same of one, whose texts must live so long. */
void pv_link_batch_push(
    struct pv_link_batch *batch, const struct pv_link *link);

void pv_link_batch_apply(struct pv_link_batch *batch);

/* The host has something pending: if that is news, it is noted. */
void pv_link_batch_wake(
    struct pv_link_batch *batch, uint64_t host_id, enum pv_holding holding);

#endif
