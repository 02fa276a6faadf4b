#ifndef PAVANE_STORE_NOTE_H
#define PAVANE_STORE_NOTE_H

#include "base/str.h"
#include "store/database.h"

/* Whatever a crawl has one of: a number or a text under a name. */

/* `missing` where there is none of that name. */
int64_t pv_note_get(
    struct pv_database *database, struct pv_str name, int64_t missing);
void pv_note_set(
    struct pv_database *database, struct pv_str name, int64_t number);

#endif
