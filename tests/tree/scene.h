#ifndef PAVANE_TESTS_TREE_SCENE_H
#define PAVANE_TESTS_TREE_SCENE_H

#include <stdio.h>

#include "base/buf.h"
#include "tap.h"
#include "tree/expression.h"
#include "tree/text.h"

/* What tests of trees have in common: a page, and what expressions find there
 * as one text, their matches between bars; elements as their texts, or their
 * ids in brackets. */

static inline struct pv_tree *scene_tree(struct pv_str html)
{
	return pv_tree_create(html, &PV_TREE_CEILINGS);
}

__attribute__((unused)) static void scene_add(
    struct pv_buf *buf, const struct pv_match *match)
{
	if (!match->node) {
		pv_buf_append(buf, match->text);
		return;
	}
	struct pv_str id = pv_node_attribute(match->node, PV_STR("id"));
	if (id.ptr)
		pv_buf_append_format(buf, "[%.*s]", PV_STR_ARG(id));
	else
		pv_tree_text(match->node, buf);
}

__attribute__((unused)) static struct pv_str scene_find_in(struct pv_buf *buf,
    const struct pv_tree *tree, const struct pv_tree_node *context,
    enum pv_expression_kind kind, const char *text)
{
	struct pv_expression_fault fault;
	struct pv_matches matches;
	struct pv_tree_budget budget = {PV_TREE_STEPS};
	struct pv_expression *expression =
	    pv_expression_create(kind, pv_str_of(text), &fault);
	pv_buf_clear(buf);
	if (!expression) {
		pv_buf_append_format(buf, "%zu: %s", fault.offset, fault.text);
		return pv_buf_str(buf);
	}
	pv_matches_init(&matches, PV_MATCHES_MAX);
	enum pv_evaluation result = pv_expression_evaluate(
	    expression, tree, context, &budget, &matches);
	if (result == PV_EVALUATION_GAVE_UP)
		pv_buf_append_text(buf, "gave up");
	for (size_t i = 0; i < matches.count; i++) {
		if (i)
			pv_buf_append_char(buf, '|');
		scene_add(buf, &matches.items[i]);
	}
	pv_matches_finish(&matches);
	pv_expression_destroy(expression);
	return pv_buf_str(buf);
}

struct scene_case {
	const char *expression;
	const char *found;
};

__attribute__((unused)) static void scene_try(struct pv_str html,
    enum pv_expression_kind kind, const struct scene_case *cases, size_t count)
{
	struct pv_tree *tree = scene_tree(html);
	struct pv_buf buf;
	pv_buf_init(&buf, 1 << 20);
	for (size_t i = 0; i < count; i++) {
		struct pv_str found =
		    scene_find_in(&buf, tree, NULL, kind, cases[i].expression);
		is_text(found, cases[i].found, "%s: %s", cases[i].expression,
		    cases[i].found);
	}
	pv_buf_finish(&buf);
	pv_tree_destroy(tree);
}

#endif
