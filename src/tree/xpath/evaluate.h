#ifndef PAVANE_TREE_XPATH_EVALUATE_H
#define PAVANE_TREE_XPATH_EVALUATE_H

#include "tree/nodes/matches.h"
#include "tree/xpath/ops.h"
#include "tree/xpath/value.h"

/* Evaluates XPath on the list of nodes.
 *
 * It is not libxml2 that does so, since what it does between two looks at its
 * own limit cannot be bounded: it brings texts between comments in order in
 * quadratic time, merges sets of nodes so, and copies all texts of a page for
 * each comparison.
 */

/* Adds what an expression gives: a match for each node, or one for the value.
 * False if the budget is spent. */
bool pv_xpath_match(const struct pv_xpath *xpath,
    const struct pv_tree_node *context, struct pv_tree_budget *budget,
    struct pv_matches *matches);

/* The same for no more than the first so many steps of a path. */
bool pv_xpath_count(const struct pv_xpath_op *path, size_t steps,
    const struct pv_tree_node *context, struct pv_tree_budget *budget,
    size_t *count);

#endif
