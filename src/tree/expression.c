#include "tree/expression.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "tree/compiled.h"
#include "tree/css/parser.h"
#include "tree/xpath/evaluate.h"
#include "tree/xpath/functions.h"
#include "tree/xpath/parser.h"

struct pv_expression *pv_expression_create(enum pv_expression_kind kind,
    struct pv_str text, struct pv_expression_fault *fault)
{
	struct pv_expression *expression = pv_alloc(sizeof(*expression));
	*fault = (struct pv_expression_fault){.offset = 0};
	if (kind == PV_EXPRESSION_CSS)
		expression->selector = pv_selector_create(text, fault);
	else
		expression->xpath = pv_xpath_create(text, fault);
	if (!expression->selector && !expression->xpath) {
		free(expression);
		return NULL;
	}
	expression->text = pv_alloc(text.len + 1);
	expression->len = text.len;
	memcpy(expression->text, pv_str_bytes(text), text.len);
	return expression;
}

void pv_expression_destroy(struct pv_expression *expression)
{
	if (!expression)
		return;
	pv_selector_destroy(expression->selector);
	pv_xpath_destroy(expression->xpath);
	free(expression->text);
	free(expression);
}

static bool selector_finds_elements(const struct pv_selector *selector)
{
	for (size_t i = 0; i < selector->count; i++) {
		if (selector->items[i].result == PV_CSS_ELEMENTS)
			return true;
	}
	return false;
}

static bool op_finds_elements(const struct pv_xpath_op *op)
{
	const struct pv_xpath_step *step = op->steps;
	while (step && step->next)
		step = step->next;
	switch (op->kind) {
	case PV_XPATH_UNION:
		return op_finds_elements(op->left) ||
		       op_finds_elements(op->right);
	case PV_XPATH_FILTER:
		return op_finds_elements(op->left);
	case PV_XPATH_PATH:
		return !step || (step->axis != PV_AXIS_ATTRIBUTE &&
				    step->test <= PV_XPATH_NODES);
	case PV_XPATH_CALL:
		return op->function->result == PV_XPATH_REFS;
	default:
		return false;
	}
}

bool pv_expression_finds_elements(const struct pv_expression *expression)
{
	return expression->selector
		   ? selector_finds_elements(expression->selector)
		   : op_finds_elements(expression->xpath->top);
}

enum pv_evaluation pv_expression_evaluate(
    const struct pv_expression *expression, const struct pv_tree *tree,
    const struct pv_tree_node *context, struct pv_tree_budget *budget,
    struct pv_matches *matches)
{
	const struct pv_tree_node *from =
	    context ? context : pv_tree_document(tree);
	pv_matches_clear(matches);
	bool is_evaluated =
	    expression->selector
		? pv_selector_match(expression->selector, from, budget, matches)
		: pv_xpath_match(expression->xpath, from, budget, matches);
	if (!is_evaluated) {
		pv_matches_clear(matches);
		return PV_EVALUATION_GAVE_UP;
	}
	return matches->is_full ? PV_EVALUATION_MANY : PV_EVALUATED;
}
