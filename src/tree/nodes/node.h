#ifndef PAVANE_TREE_NODES_NODE_H
#define PAVANE_TREE_NODES_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The nodes of a page, one behind another in the order of the document.
 *
 * libxml2 makes the tree; this list is made of it once, so that all that
 * evaluates goes along an array: what is below a node stands right behind it,
 * and the others are told by their distance. A node of a lower address comes
 * first in the document. The first of all is the document itself.
 *
 * A tree, and so each of its nodes, belongs to one thread at a time.
 */
enum pv_tree_kind {
	PV_TREE_DOCUMENT,
	PV_TREE_ELEMENT,
	PV_TREE_TEXT, /* that of scripts as well */
	PV_TREE_COMMENT,
	PV_TREE_OTHER, /* a processing instruction */
};

/* No element of a tree is within more than so many. */
#define PV_NODE_DEPTH_MAX 512

struct _xmlNode;

struct pv_tree_node {
	struct _xmlNode *xml; /* the document's is a struct _xmlDoc */
	uint64_t words;       /* a bit for each class, id and attribute */
	uint32_t below;       /* so many nodes */
	uint32_t up;          /* how far before it its parent is; 0: none */
	uint32_t back;        /* ... and its sibling before it; 0: none */
	uint32_t number;      /* among its parent's elements, from 1 */
	uint32_t elements;    /* children that are elements */
	uint32_t name_hash;
	enum pv_tree_kind kind;
};

/* What a word may be. */
#define PV_WORD_ATTRIBUTE '@'
#define PV_WORD_CLASS '.'
#define PV_WORD_ID '#'

uint32_t pv_node_name_hash(struct pv_str name);

/* The bit of `words` that a node with that word has; others may have it, too.
 */
uint64_t pv_node_word(char sort, struct pv_str word);

/* The nodes of a struct _xmlDoc (which may be NULL: it has none then), and how
 * many they are. */
struct pv_tree_node *pv_nodes_create(void *doc, size_t *count);

static inline const struct pv_tree_node *pv_node_parent(
    const struct pv_tree_node *node)
{
	return node->up ? node - node->up : NULL;
}

static inline const struct pv_tree_node *pv_node_previous(
    const struct pv_tree_node *node)
{
	return node->back ? node - node->back : NULL;
}

/* The first that is behind all that is below it. */
static inline const struct pv_tree_node *pv_node_end(
    const struct pv_tree_node *node)
{
	return node + node->below + 1;
}

static inline const struct pv_tree_node *pv_node_next(
    const struct pv_tree_node *node)
{
	const struct pv_tree_node *next = pv_node_end(node);
	return node->up && next < pv_node_end(node - node->up) ? next : NULL;
}

static inline const struct pv_tree_node *pv_node_document(
    const struct pv_tree_node *node)
{
	while (node->up)
		node -= node->up;
	return node;
}

/* The name of an element; empty for others. */
struct pv_str pv_node_name(const struct pv_tree_node *node);
bool pv_node_is_named(const struct pv_tree_node *node, struct pv_str name);

/* The value of an attribute; none (NULL, 0) if it has none of that name. */
struct pv_str pv_node_attribute(
    const struct pv_tree_node *node, struct pv_str name);

/* Attributes by their number, from 1; false where there is none. */
bool pv_node_attribute_at(const struct pv_tree_node *node, uint32_t number,
    struct pv_str *name, struct pv_str *value);

/* What a text, a comment or the like says; nothing of others. */
struct pv_str pv_node_content(const struct pv_tree_node *node);

/* White space, as HTML has it between classes. */
bool pv_is_html_space(int byte);

#endif
