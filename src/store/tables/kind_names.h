#ifndef PAVANE_STORE_TABLES_KIND_NAMES_H
#define PAVANE_STORE_TABLES_KIND_NAMES_H

#include "base/buf.h"
#include "store/database.h"

/* The names of the kinds of pages that a crawl's policy describes, in its order, a
 * line for each; nothing where it describes none. */
void pv_kind_names_get(struct pv_database *database, struct pv_buf *names);
void pv_kind_names_set(struct pv_database *database, struct pv_str names);

bool pv_kind_names_have(struct pv_database *database, struct pv_str name);

#endif
