#ifndef PAVANE_FRONTIER_SQLITE_KNOWN_PAGES_H
#define PAVANE_FRONTIER_SQLITE_KNOWN_PAGES_H

#include "frontier/frontier.h"
#include "store/database.h"

/* Pages of an authority that were answered well. The addresses of an origin
 * stand in no order that it knows, and of them only a part is looked through,
 * so that a large site costs no more than others. */

/* Appends the address of one; nothing if too few are known. Used on the
 * writer's thread. */
void pv_known_pages_find(
    struct pv_database *database, struct pv_page_request *request);

#endif
