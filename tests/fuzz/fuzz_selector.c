#include <stdint.h>
#include <stdlib.h>

#include "base/reader.h"
#include "tree/nearest.h"

/* Compiles and evaluates selectors and XPath. The input is a line with an
 * expression, and a page.
 *
 * What must hold: what is no expression has a sentence, and a place in it;
 * matches are in the order of the document and each once; no more is spent than
 * the budget; a second evaluation finds the same; and the sentence about what
 * is near can be made.
 */

#define STEPS 200000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_order(const struct pv_matches *matches)
{
	const struct pv_tree_node *last = NULL;
	for (size_t i = 0; i < matches->count; i++) {
		const struct pv_tree_node *node = matches->items[i].node;
		require(!node || node > last);
		last = node ? node : last;
	}
}

static void evaluate(const struct pv_expression *expression,
    const struct pv_tree *tree, const struct pv_tree_node *context)
{
	struct pv_matches first, second;
	struct pv_tree_budget budget = {STEPS}, again = {STEPS};
	pv_matches_init(&first, 1000);
	pv_matches_init(&second, 1000);
	enum pv_evaluation result =
	    pv_expression_evaluate(expression, tree, context, &budget, &first);
	require(pv_expression_evaluate(
		    expression, tree, context, &again, &second) == result);
	require(budget.steps == again.steps && first.count == second.count);
	require(result != PV_EVALUATION_GAVE_UP || !first.count);
	check_order(&first);
	pv_matches_finish(&first);
	pv_matches_finish(&second);
}

static void check(enum pv_expression_kind kind, struct pv_str text,
    const struct pv_tree *tree)
{
	struct pv_expression_fault fault;
	struct pv_buf buf;
	struct pv_expression *expression =
	    pv_expression_create(kind, text, &fault);
	require(expression || (fault.text[0] && fault.offset <= text.len));
	if (!expression)
		return;
	const struct pv_tree_node *document = pv_tree_document(tree);
	evaluate(expression, tree, NULL);
	evaluate(expression, tree, document + document->below / 2);
	pv_buf_init(&buf, 65536);
	pv_expression_nearest(expression, tree, NULL, &buf);
	pv_buf_finish(&buf);
	pv_expression_destroy(expression);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	const struct pv_tree_ceilings ceilings = {8192, 1000};
	struct pv_str text = pv_reader_take_line(&reader);
	struct pv_tree *tree =
	    pv_tree_create(pv_reader_rest(&reader), &ceilings);
	check(PV_EXPRESSION_CSS, text, tree);
	check(PV_EXPRESSION_XPATH, text, tree);
	pv_tree_destroy(tree);
	return 0;
}
