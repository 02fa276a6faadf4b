#ifndef PAVANE_POLICY_PAGES_FOLLOW_H
#define PAVANE_POLICY_PAGES_FOLLOW_H

#include "policy/document/reading.h"
#include "policy/pages.h"

/* Where a kind of page leads: a list of sources of links, each with the kind of
 * page that they lead to (`as`), the fields that they bring along (`carry`) and
 * how many of them count (`limit`). */

#define PV_FOLLOW_MAX 100 /* links of one kind */
#define PV_FOLLOW_LIMIT_MAX 1000000
#define PV_CARRY_MAX PV_FIELDS_MAX

/* Reads the list, which may be empty, into the kind; false where a problem was told. */
bool pv_follow_read(struct pv_reading *reading, const struct pv_node *node,
    struct pv_page_kind *kind);

void pv_follow_finish(struct pv_page_kind *kind);

#endif
