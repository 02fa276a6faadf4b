#ifndef PAVANE_STORE_LEDGER_TABLE_H
#define PAVANE_STORE_LEDGER_TABLE_H

#include "record/ledger.h"
#include "store/database.h"

/* The table `ledger`: a host's ledger (record/ledger.h) by its number.
 *
 * Faults go to the database. Used by one thread at a time.
 */
struct pv_ledger_table {
	struct pv_statement *read;
	struct pv_statement *write;
	struct pv_buf gaps;
	struct pv_buf rules;
};

void pv_ledger_table_init(
    struct pv_ledger_table *table, struct pv_database *database);
void pv_ledger_table_finish(struct pv_ledger_table *table);

/* Reads what stands there of a host; an empty ledger where that is nothing,
 * and then false. */
bool pv_ledger_table_get(const struct pv_ledger_table *table, uint64_t host_id,
    struct pv_ledger *ledger);

/* Writes all of it. */
void pv_ledger_table_set(struct pv_ledger_table *table, uint64_t host_id,
    const struct pv_ledger *ledger);

#endif
