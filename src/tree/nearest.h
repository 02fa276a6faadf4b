#ifndef PAVANE_TREE_NEAREST_H
#define PAVANE_TREE_NEAREST_H

#include "base/buf.h"
#include "tree/expression.h"

/* For the person who writes an expression that finds nothing: how far it
 * matches, how often, and what the page has instead. */

/* Appends a sentence without its full stop, such as: "div.product" matches 24
 * times, "div.product .prise" nothing; the page has the classes price,
 * price-old. `context` is as for pv_expression_evaluate. */
void pv_expression_nearest(const struct pv_expression *expression,
    const struct pv_tree *tree, const struct pv_tree_node *context,
    struct pv_buf *buf);

#endif
