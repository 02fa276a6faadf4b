#ifndef PAVANE_TREE_TREE_H
#define PAVANE_TREE_TREE_H

#include "base/str.h"
#include "tree/nodes/node.h"

/* The tree of a page, as libxml2's HTML parser makes it.
 *
 * It is not quite HTML5's: no tbody is invented, for one. Making it never
 * fails, fetches nothing and prints nothing, and what it takes is bounded by
 * the ceilings: a page that exceeds one has a tree of what was before, or
 * without what was too much. A tree belongs to one thread at a time; any number
 * of threads may have one each.
 */
enum pv_tree_end {
	PV_TREE_WHOLE,
	PV_TREE_LARGE,   /* the text was cut at the ceiling */
	PV_TREE_DROPPED, /* a tag had too many attributes; some are missing */
	PV_TREE_DEEP,    /* more elements within another: the rest is missing */
	PV_TREE_MANY,    /* more nodes: the rest is missing */
	PV_TREE_BROKEN,  /* more mistakes, or attributes that are hidden from
			    us: the rest is missing */
};

struct pv_tree_ceilings {
	size_t bytes;
	size_t nodes; /* elements, attributes, texts and comments */
};

#define PV_TREE_CEILINGS \
	((struct pv_tree_ceilings){.bytes = 4 << 20, .nodes = 500000})

struct pv_tree;

/* `html` is UTF-8, whatever a meta element in it says; it is not kept. */
struct pv_tree *pv_tree_create(
    struct pv_str html, const struct pv_tree_ceilings *ceilings);
void pv_tree_destroy(struct pv_tree *tree);

/* The last of what is above that holds. */
enum pv_tree_end pv_tree_end(const struct pv_tree *tree);

/* In words: "is nested too deep". */
const char *pv_tree_end_text(enum pv_tree_end end);

/* The first node, which is the document. */
const struct pv_tree_node *pv_tree_document(const struct pv_tree *tree);

#endif
