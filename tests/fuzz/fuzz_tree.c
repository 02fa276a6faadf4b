#include <stdint.h>
#include <stdlib.h>

#include "tree/expression.h"
#include "tree/text.h"

/* Makes trees of pages, and looks at each node.
 *
 * What must hold: the list of nodes fits together; there are no more of them,
 * and not deeper ones, than may be; a page has no more text than it has bytes,
 * but for what entities mean; and what is written as HTML is read again.
 */

#define NODES_MAX 5000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_node(const struct pv_tree_node *node)
{
	const struct pv_tree_node *parent = pv_node_parent(node);
	const struct pv_tree_node *previous = pv_node_previous(node);
	const struct pv_tree_node *next = pv_node_next(node);
	require(!parent || pv_node_end(node) <= pv_node_end(parent));
	require(!previous || pv_node_parent(previous) == parent);
	require(!previous || pv_node_next(previous) == node);
	require(!next || pv_node_previous(next) == node);
	require(node->kind != PV_TREE_ELEMENT || pv_node_name(node).len > 0);
	require(node->elements <= node->below);
}

static void check_nodes(const struct pv_tree *tree)
{
	const struct pv_tree_node *document = pv_tree_document(tree);
	require(document->kind == PV_TREE_DOCUMENT);
	require(document->below <= NODES_MAX);
	for (uint32_t i = 0; i <= document->below; i++) {
		size_t depth = 0;
		for (const struct pv_tree_node *node = &document[i]; node;
		     node = pv_node_parent(node))
			depth++;
		require(depth <= PV_NODE_DEPTH_MAX + 2);
		check_node(&document[i]);
	}
}

static void check_page(const struct pv_tree *tree)
{
	struct pv_matches matches;
	pv_matches_init(&matches, 100);
	pv_tree_base(tree);
	pv_tree_meta(tree, PV_STR("description"), &matches);
	pv_tree_scripts(tree, NULL, &matches);
	pv_tree_scripts(tree, "application/ld+json", &matches);
	require(matches.count <= 100);
	pv_matches_finish(&matches);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str html = {(const char *)data, size};
	const struct pv_tree_ceilings ceilings = {65536, NODES_MAX};
	struct pv_tree *tree = pv_tree_create(html, &ceilings);
	struct pv_buf buf;
	pv_buf_init(&buf, 1 << 20);
	check_nodes(tree);
	check_page(tree);
	pv_tree_text(pv_tree_document(tree), &buf);
	require(buf.len <= 3 * size + 64);
	pv_buf_clear(&buf);
	pv_tree_html(pv_tree_document(tree), &buf);
	struct pv_tree *again = pv_tree_create(pv_buf_str(&buf), &ceilings);
	check_nodes(again);
	pv_tree_destroy(again);
	pv_tree_destroy(tree);
	pv_buf_finish(&buf);
	return 0;
}
