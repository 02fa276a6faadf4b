#ifndef PAVANE_STORE_TABLES_LEDGER_TABLE_H
#define PAVANE_STORE_TABLES_LEDGER_TABLE_H

#include "record/ledger.h"
#include "store/database.h"

/* The table `ledger`: a host's ledger (record/ledger.h) by its number.
 *
 * Faults go to the database. Used by one thread at a time.
 */
struct pv_ledger_table {
	struct pv_statement *read;
	struct pv_statement *find;
	struct pv_statement *write;
	struct pv_buf gaps;
	struct pv_buf rules;
};

void pv_ledger_table_init(
    struct pv_ledger_table *table, struct pv_database *database);
void pv_ledger_table_finish(struct pv_ledger_table *table);

/* Whether there is such a table: old versions had none. */
bool pv_ledger_table_is_there(struct pv_database *database);

/* Reads what stands there of a host; an empty ledger where that is nothing,
 * and then false. */
bool pv_ledger_table_get(const struct pv_ledger_table *table, uint64_t host_id,
    struct pv_ledger *ledger);

/* The same, of the host of that name. */
bool pv_ledger_table_find(const struct pv_ledger_table *table,
    struct pv_str host, struct pv_ledger *ledger);

/* Writes all of it. */
void pv_ledger_table_set(struct pv_ledger_table *table, uint64_t host_id,
    const struct pv_ledger *ledger);

/* Of how many hosts there is one, counted up to so many, and of how many bytes
 * these tell. */
uint64_t pv_ledger_table_count(
    struct pv_database *database, uint64_t max, uint64_t *bytes);

/* A host of which there is one. */
struct pv_asked_host {
	uint64_t id;
	struct pv_str name; /* borrowed for the call */
	uint64_t bytes;
	uint64_t requests;
	uint64_t pages;
};

/* Calls it with the `max` of them that sent most, the largest first; no more of
 * them than `seen_max` are looked at, since no index tells the largest. */
typedef void (*pv_asked_host_fn)(void *ctx, const struct pv_asked_host *host);
void pv_ledger_table_largest(struct pv_database *database, uint64_t seen_max,
    uint64_t max, pv_asked_host_fn on_host, void *ctx);

#endif
