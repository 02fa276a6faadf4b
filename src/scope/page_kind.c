#include "scope/page_kind.h"

void pv_page_kinds_init(struct pv_page_kinds *kinds,
    const struct pv_pages *pages, struct pv_arena *arena)
{
	kinds->pages = pages;
	kinds->matches = pv_arena_give_array(
	    arena, pages->count, sizeof(struct pv_rule_match *));
	for (size_t i = 0; i < pages->count; i++) {
		const struct pv_rules *rules = &pages->items[i].match;
		kinds->matches[i] = pv_arena_give_array(
		    arena, rules->count, sizeof(struct pv_rule_match));
		for (size_t j = 0; j < rules->count; j++)
			pv_rule_match_init(
			    &kinds->matches[i][j], &rules->items[j], arena);
	}
}

unsigned pv_page_kinds_match(
    const struct pv_page_kinds *kinds, const struct pv_url *url)
{
	for (size_t i = 0; i < kinds->pages->count; i++) {
		size_t count = kinds->pages->items[i].match.count;
		for (size_t j = 0; j < count; j++) {
			if (pv_rule_match_find(&kinds->matches[i][j], url) ==
			    PV_RULE_ALL)
				return (unsigned)i + 1;
		}
	}
	return 0;
}
