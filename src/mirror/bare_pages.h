#ifndef PAVANE_MIRROR_BARE_PAGES_H
#define PAVANE_MIRROR_BARE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "store/database.h"

/* Pages that show nothing until a script has run (parse/bare_page.h): from the
 * disk that mostly fails, and whoever mirrors a site wants to know. */
void pv_bare_pages_note(
    struct pv_database *database, uint64_t address, bool is_bare);

#endif
