#ifndef PAVANE_STORE_TABLES_LENGTH_H
#define PAVANE_STORE_TABLES_LENGTH_H

#include "base/str.h"
#include "store/database.h"

/* The committed length of each file that is appended to.
 *
 * Who appends (a journal, an archive) writes and syncs the file first and sets
 * its length before the same commit that makes the rest true; on start, what
 * lies beyond the length was never reported, and is cut.
 */

/* 0 for a file that has none. */
uint64_t pv_length_get(struct pv_database *database, struct pv_str file);
void pv_length_set(
    struct pv_database *database, struct pv_str file, uint64_t length);

/* Those of all files whose names begin so, until the function returns false. */
typedef bool (*pv_length_fn)(void *ctx, struct pv_str file, uint64_t length);
void pv_lengths_each(struct pv_database *database, struct pv_str beginning,
    pv_length_fn fn, void *ctx);

/* Forgets those of all files whose names begin so. */
void pv_lengths_forget(struct pv_database *database, struct pv_str beginning);

#endif
