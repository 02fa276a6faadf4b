#ifndef PAVANE_FRONTIER_SQLITE_CARRY_TABLE_H
#define PAVANE_FRONTIER_SQLITE_CARRY_TABLE_H

#include "base/buf.h"
#include "store/database.h"

/* What links bring along for the rows of a page, as a JSON object, by the
 * page's address: that of the first link that gave the page its kind. An
 * address without a row has none. Used on the writer's thread, in its
 * transactions. */
enum { PV_CARRY_STATEMENTS = 3 };

struct pv_carry_table {
	struct pv_database *database;
	struct pv_statement *statements[PV_CARRY_STATEMENTS];
	bool has_rows; /* there may be some: most crawls have none */
};

void pv_carry_table_init(
    struct pv_carry_table *table, struct pv_database *database);
void pv_carry_table_finish(struct pv_carry_table *table);

/* Takes the place of what there was; nothing, if it is empty. */
void pv_carry_table_set(
    struct pv_carry_table *table, uint64_t address, struct pv_str carry);

/* Appends it; nothing where there is none. */
void pv_carry_table_get(
    struct pv_carry_table *table, uint64_t address, struct pv_buf *carry);

#endif
