#include "tree/nodes/matches.h"

#include <stdlib.h>

#include "base/array.h"

void pv_matches_init(struct pv_matches *matches, size_t ceiling)
{
	*matches = (struct pv_matches){.ceiling = ceiling};
	pv_arena_init(&matches->arena);
}

void pv_matches_finish(struct pv_matches *matches)
{
	free(matches->items);
	pv_arena_finish(&matches->arena);
}

void pv_matches_clear(struct pv_matches *matches)
{
	matches->count = 0;
	matches->is_full = false;
	pv_arena_finish(&matches->arena);
	pv_arena_init(&matches->arena);
}

static bool add(struct pv_matches *matches, struct pv_match match)
{
	if (matches->count >= matches->ceiling) {
		matches->is_full = true;
		return false;
	}
	*PV_ARRAY_PUSH(matches->items, matches->count, matches->size) = match;
	return true;
}

bool pv_matches_add_node(
    struct pv_matches *matches, const struct pv_tree_node *node)
{
	return add(matches, (struct pv_match){.node = node});
}

bool pv_matches_add_text(struct pv_matches *matches, struct pv_str text)
{
	return add(matches, (struct pv_match){.text = text});
}

bool pv_matches_add_attribute(struct pv_matches *matches,
    const struct pv_tree_node *owner, struct pv_str text)
{
	return add(matches, (struct pv_match){.text = text, .owner = owner});
}

bool pv_matches_add_copy(struct pv_matches *matches, struct pv_str text)
{
	return pv_matches_add_text(
	    matches, pv_arena_copy(&matches->arena, text));
}
