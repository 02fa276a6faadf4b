#ifndef PAVANE_STORE_TABLES_PART_TABLE_H
#define PAVANE_STORE_TABLES_PART_TABLE_H

#include "record/part.h"
#include "store/database.h"

/* The rows of parts: what is known of bodies that were broken off and are to be
 * continued, by address. Each goes with a file in the crawl's own directory
 * (crawl/visit/part_files.h), so it is of use to this crawl alone, wherever its
 * frontier is. Used on the writer's thread, in its transactions. */
enum { PV_PART_STATEMENTS = 4 };

struct pv_part_table {
	struct pv_database *database;
	struct pv_statement *statements[PV_PART_STATEMENTS];
	bool has_any; /* else nothing is looked up */
	struct pv_buf texts;
};

void pv_part_table_init(
    struct pv_part_table *table, struct pv_database *database);
void pv_part_table_finish(struct pv_part_table *table);

/* False if there is none. Its texts live until the next call. */
bool pv_part_table_get(
    struct pv_part_table *table, uint64_t address, struct pv_part *part);

/* Whether there is one. */
bool pv_part_table_has(struct pv_part_table *table, uint64_t address);

/* How many there are, and of how many bytes. */
struct pv_part_sums {
	uint64_t count;
	uint64_t bytes;
};

struct pv_part_sums pv_part_table_sums(struct pv_database *database);

void pv_part_table_set(
    struct pv_part_table *table, uint64_t address, const struct pv_part *part);
void pv_part_table_remove(struct pv_part_table *table, uint64_t address);

/* All of them. */
void pv_part_table_clear(struct pv_part_table *table);

#endif
