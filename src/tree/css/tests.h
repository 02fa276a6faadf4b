#ifndef PAVANE_TREE_CSS_TESTS_H
#define PAVANE_TREE_CSS_TESTS_H

#include "tree/css/selector.h"

/* Whether an element is what a compound says, whatever is around it. Where the
 * budget is spent the answer is no. */
bool pv_css_compound_fits(const struct pv_css_compound *compound,
    const struct pv_tree_node *node, struct pv_tree_budget *budget);

/* What most elements are not, seen without looking at them closely. */
static inline bool pv_css_compound_may_fit(
    const struct pv_css_compound *compound, const struct pv_tree_node *node)
{
	return node->kind == PV_TREE_ELEMENT &&
	       (node->words & compound->words) == compound->words &&
	       (!compound->type.len || compound->type_hash == node->name_hash);
}

#endif
