#ifndef PAVANE_SCOPE_PAGE_KIND_H
#define PAVANE_SCOPE_PAGE_KIND_H

#include "base/arena.h"
#include "policy/pages.h"
#include "scope/rule_match.h"

/* Which kind of page an address is of, by the `match` of the policy's kinds.
 * Read by any thread. */
struct pv_page_kinds {
	const struct pv_pages *pages;
	struct pv_rule_match **matches; /* of each kind, as many as it has */
};

/* What is made goes into the arena; the pages are kept. */
void pv_page_kinds_init(struct pv_page_kinds *kinds,
    const struct pv_pages *pages, struct pv_arena *arena);

/* The number of the first kind, from 1, of which a match fits; 0 if none does.
 * A pattern that reaches the limit of a match does not fit. */
unsigned pv_page_kinds_match(
    const struct pv_page_kinds *kinds, const struct pv_url *url);

#endif
