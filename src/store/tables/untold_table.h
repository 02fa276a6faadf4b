#ifndef PAVANE_STORE_TABLES_UNTOLD_TABLE_H
#define PAVANE_STORE_TABLES_UNTOLD_TABLE_H

#include "base/buf.h"
#include "store/database.h"

/* Pages that are committed, and of which the program that runs the crawl has not
 * heard yet (crawl/consumers/untold.h), by number. Faults are the database's. */
void pv_untold_table_add(struct pv_database *database, uint64_t number,
    uint64_t address, bool is_final);

/* Forgets all up to that number. */
void pv_untold_table_forget(struct pv_database *database, uint64_t number);

/* The first behind that number, whose address is appended; 0 if there is
 * none. */
uint64_t pv_untold_table_next(struct pv_database *database, uint64_t number,
    struct pv_buf *url, bool *is_final);

#endif
