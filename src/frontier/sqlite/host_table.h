#ifndef PAVANE_FRONTIER_SQLITE_HOST_TABLE_H
#define PAVANE_FRONTIER_SQLITE_HOST_TABLE_H

#include "frontier/frontier.h"
#include "record/host.h"
#include "store/writer.h"

/* The rows of hosts: who has something to visit, who is held, and their clocks.
 * Used on the writer's thread, in its transactions. Who only looks at them
 * reads store/tables/state_hosts.h. */
enum { PV_HOST_STATEMENTS = 12 };

struct pv_host_table {
	struct pv_database *database;
	struct pv_statement *statements[PV_HOST_STATEMENTS];

	/* states that are saved and not written yet */
	struct pv_host_save *saves;
	size_t save_count;
	size_t save_size;

	bool finds_away; /* a host that is new here is another worker's, until
			    it is taken over (handover.h) */

	/* by number, whether a host was held in this run: a bit each */
	uint64_t *held;
	size_t held_words;
};

void pv_host_table_init(
    struct pv_host_table *table, struct pv_database *database);
void pv_host_table_finish(struct pv_host_table *table);

/* The host of that name, made if there is none, as found then; its holding. */
uint64_t pv_host_table_find(struct pv_host_table *table, struct pv_str name,
    int64_t found_wall_ms, enum pv_holding *holding);

enum pv_holding pv_host_table_holding(
    struct pv_host_table *table, uint64_t host_id);
void pv_host_table_set_holding(
    struct pv_host_table *table, uint64_t host_id, enum pv_holding holding);

/* The last state of a host that is saved counts; they are written with
 * pv_host_table_write, before the transaction ends. */
void pv_host_table_save(struct pv_host_table *table, uint64_t host_id,
    const struct pv_host_state *state);
void pv_host_table_write(struct pv_host_table *table);

/* A host that is held again is as if for the first time: nobody knows its
 * clock. */
void pv_host_table_forget_held(struct pv_host_table *table, uint64_t host_id);

/* Takes hosts that wait, the first to be ready first, until there are so many,
 * or their names fill the answer. Their clocks pass from now, by the crawl's
 * clock. */
void pv_host_table_take(struct pv_host_table *table, size_t max, int64_t now_ms,
    struct pv_host_list *hosts);

/* How many hosts wait and are ready by then, up to `max`; and when the first of
 * all that wait is, PV_FRONTIER_NEVER if there is none. */
size_t pv_host_table_count_ready(
    struct pv_host_table *table, int64_t by_wall_ms, size_t max);
int64_t pv_host_table_next_ready(struct pv_host_table *table);

/* Takes the host of that name, made if there is none; nothing if it is
 * held. */
void pv_host_table_take_named(struct pv_host_table *table, struct pv_str name,
    int64_t now_ms, struct pv_host_list *hosts);

/* Hosts that have something pending wait for it, and those that are held have
 * something. This and what follows may cut (pv_writer_cut); to do it again
 * changes nothing. */
void pv_host_table_wake_all(
    struct pv_database *database, struct pv_writer *writer);

/* What they have brought, and what failed, counts from nothing. */
void pv_host_table_count_anew(
    struct pv_database *database, struct pv_writer *writer);

/* The run ends in good order, then, by the crawl's clock: what was saved is
 * written, and those that are held are left as they stand until the next run
 * recovers them. So the end costs the same, however many they are. */
void pv_host_table_leave_all(struct pv_host_table *table, int64_t now_ms);

/* Nobody holds any host any more; how many were. Those that were left in good
 * order have what was left of their clocks then, others owe their delay. That
 * they were left so is forgotten with the last of them. */
uint64_t pv_host_table_recover(
    struct pv_host_table *table, struct pv_writer *writer);

/* Appends the address of a page of an authority that was answered well; nothing
 * if too few are known. The addresses of an origin stand in no order that it
 * knows, and of them only a part is looked through, so that a large site costs
 * no more than others. */
void pv_host_table_find_page(
    struct pv_database *database, struct pv_page_request *request);

#endif
