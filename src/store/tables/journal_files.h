#ifndef PAVANE_STORE_TABLES_JOURNAL_FILES_H
#define PAVANE_STORE_TABLES_JOURNAL_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "store/database.h"

/* Which files a crawl's journal has (record/journal_name.h), as far as they are
 * committed: the rows of their lengths (store/tables/length.h).
 */

/* The generation of the one that is appended to. */
uint64_t pv_journal_files_last(struct pv_database *database);

/* The first one behind that generation; false if that is the last. */
bool pv_journal_files_next(
    struct pv_database *database, uint64_t generation, uint64_t *next);

/* In their order, until the function returns false. */
typedef bool (*pv_journal_file_fn)(
    void *ctx, uint64_t generation, uint64_t length);
void pv_journal_files_each(
    struct pv_database *database, pv_journal_file_fn fn, void *ctx);

/* Forgets those before the last that are not in the directory any more. */
void pv_journal_files_forget(
    struct pv_database *database, const char *directory);

#endif
