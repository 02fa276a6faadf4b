#ifndef PAVANE_FRONTIER_SQLITE_COUNT_TABLE_H
#define PAVANE_FRONTIER_SQLITE_COUNT_TABLE_H

#include "frontier/frontier.h"
#include "frontier/sqlite/address_table.h"

/* How many addresses are in each state, and for what cause: kept in memory,
 * and written with each commit. Used on the writer's thread. */
struct pv_count_table {
	struct pv_database *database;
	int64_t counts[PV_STATE_COUNT][PV_CAUSE_MAX];
	int64_t written[PV_STATE_COUNT][PV_CAUSE_MAX];
};

void pv_count_table_init(
    struct pv_count_table *table, struct pv_database *database);

void pv_count_table_add(
    struct pv_count_table *table, struct pv_cause cause, int64_t number);
void pv_count_table_move(
    struct pv_count_table *table, struct pv_cause from, struct pv_cause to);

void pv_count_table_get(
    const struct pv_count_table *table, struct pv_counts *counts);
void pv_count_table_write(struct pv_count_table *table);

#endif
