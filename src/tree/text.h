#ifndef PAVANE_TREE_TEXT_H
#define PAVANE_TREE_TEXT_H

#include "base/buf.h"
#include "tree/nodes/matches.h"
#include "tree/tree.h"

/* What nodes say, and what a page says of itself. Each returns false if the
 * ceiling of the buffer or of the matches is in the way. */

/* The text of a node and of all below it, but for scripts and styles below it.
 */
bool pv_tree_text(const struct pv_tree_node *node, struct pv_buf *buf);

/* The node as HTML. */
bool pv_tree_html(const struct pv_tree_node *node, struct pv_buf *buf);

/* The href of the first base element that has one; none (NULL, 0) without. */
struct pv_str pv_tree_base(const struct pv_tree *tree);

/* The contents of meta elements of that name, property, itemprop or
 * http-equiv, in any case. */
bool pv_tree_meta(
    const struct pv_tree *tree, struct pv_str name, struct pv_matches *matches);

/* The texts of scripts of that type, such as application/ld+json, in any case
 * and without parameters; of all if it is NULL. */
bool pv_tree_scripts(
    const struct pv_tree *tree, const char *type, struct pv_matches *matches);

#endif
