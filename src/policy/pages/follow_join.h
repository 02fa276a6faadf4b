#ifndef PAVANE_POLICY_PAGES_FOLLOW_JOIN_H
#define PAVANE_POLICY_PAGES_FOLLOW_JOIN_H

#include "policy/document/reading.h"
#include "policy/pages.h"

/* Links between kinds of pages, once all kinds are read: finds the kinds that
 * are named, and gives each the columns that links to it carry. A column may be
 * carried further, round a circle too, but some kind has it as a field. False
 * where a problem was told. */
bool pv_follow_join(struct pv_reading *reading, const struct pv_pages *pages);

#endif
