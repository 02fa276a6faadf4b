#ifndef PAVANE_TREE_EXPRESSION_H
#define PAVANE_TREE_EXPRESSION_H

#include "tree/nodes/budget.h"
#include "tree/nodes/fault.h"
#include "tree/nodes/matches.h"
#include "tree/tree.h"

/* A CSS selector or an XPath, compiled once: both give matches of a page.
 *
 * An expression is never changed, and any number of threads may evaluate it at
 * the same time, each on a tree of its own.
 */
enum pv_expression_kind {
	PV_EXPRESSION_CSS,
	PV_EXPRESSION_XPATH,
};

enum pv_evaluation {
	PV_EVALUATED,
	PV_EVALUATION_MANY,    /* more than the matches' ceiling */
	PV_EVALUATION_GAVE_UP, /* the budget is spent; there are no matches */
};

struct pv_expression;

/* NULL, with the fault told, if it is none. */
struct pv_expression *pv_expression_create(enum pv_expression_kind kind,
    struct pv_str text, struct pv_expression_fault *fault);
void pv_expression_destroy(struct pv_expression *expression);

/* Whether it may find elements: not if it ends with ::text, ::attr(), @name,
 * text() or a function that gives none. */
bool pv_expression_finds_elements(const struct pv_expression *expression);

/* Puts what is found in the place of what the matches had. `context` is a node
 * of the tree, NULL for the document: a selector finds what is within it, the
 * context included, with all of its elements there; an XPath begins there. */
enum pv_evaluation pv_expression_evaluate(
    const struct pv_expression *expression, const struct pv_tree *tree,
    const struct pv_tree_node *context, struct pv_tree_budget *budget,
    struct pv_matches *matches);

#endif
