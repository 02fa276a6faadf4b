#ifndef PAVANE_TREE_NODES_MATCHES_H
#define PAVANE_TREE_NODES_MATCHES_H

#include "base/arena.h"
#include "tree/nodes/node.h"

/* What an expression found on a page, in the order of the document.
 *
 * Nodes are the tree's, and texts are its or the matches' own: both are valid
 * as long as the tree and the matches are.
 */
struct pv_match {
	const struct pv_tree_node *node; /* an element; NULL for a text */
	struct pv_str text;
	const struct pv_tree_node *owner; /* of a text that is an attribute's;
					     else NULL */
};

struct pv_matches {
	struct pv_match *items;
	size_t count, size;
	size_t ceiling;
	bool is_full; /* more were found */
	struct pv_arena arena;
};

#define PV_MATCHES_MAX 10000

void pv_matches_init(struct pv_matches *matches, size_t ceiling);
void pv_matches_finish(struct pv_matches *matches);
void pv_matches_clear(struct pv_matches *matches);

/* Each returns false if there are as many as may be. */
bool pv_matches_add_node(
    struct pv_matches *matches, const struct pv_tree_node *node);
bool pv_matches_add_text(struct pv_matches *matches, struct pv_str text);
bool pv_matches_add_attribute(struct pv_matches *matches,
    const struct pv_tree_node *owner, struct pv_str text);

/* The same with a copy of the text, for what the tree does not hold. */
bool pv_matches_add_copy(struct pv_matches *matches, struct pv_str text);

#endif
