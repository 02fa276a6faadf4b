#ifndef PAVANE_PARSE_BARE_PAGE_H
#define PAVANE_PARSE_BARE_PAGE_H

#include <stdbool.h>

#include "base/str.h"

/* Whether a page shows nothing until a script has run: it has one, and hardly a
 * word beside it, no picture, no link and no form. Of other pages no more is
 * looked at than their first words. */
bool pv_page_is_bare(struct pv_str page);

#endif
