#ifndef PAVANE_STORE_TABLES_PAGE_MARKS_H
#define PAVANE_STORE_TABLES_PAGE_MARKS_H

#include "base/str.h"
#include "store/database.h"

/* Notes on single pages, for the mirror. Faults are the database's. */

/* Whether a page shows nothing until a script has run (parse/bare_page.h): from
 * the disk that mostly fails. */
void pv_page_marks_set_bare(
    struct pv_database *database, uint64_t address, bool is_bare);

/* That a redirect leads to nothing, how (mirror/kept/dead_ends.h), and what was
 * given as the address; or that it does not any more. */
void pv_page_marks_set_dead_end(struct pv_database *database, uint64_t address,
    unsigned kind, struct pv_str location);
void pv_page_marks_unset_dead_end(
    struct pv_database *database, uint64_t address);

#endif
