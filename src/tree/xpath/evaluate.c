#include "tree/xpath/evaluate.h"

#include <math.h>

#include "tree/xpath/axis.h"
#include "tree/xpath/compare.h"
#include "tree/xpath/functions.h"

/* Where an operation is evaluated. */
struct focus {
	struct pv_xpath_ref ref;
	size_t position, last;
	struct pv_tree_budget *budget;
};

static bool evaluate(const struct pv_xpath_op *op, const struct focus *focus,
    struct pv_xpath_value *value);

static bool is_chosen(const struct pv_xpath_value *value, size_t position)
{
	return value->sort == PV_XPATH_DOUBLE
		   ? value->number == (double)position
		   : pv_xpath_boolean(value);
}

/* Leaves of the nodes behind `start` those that the predicate chooses. */
static bool filter_by(const struct pv_xpath_op *predicate,
    struct pv_xpath_value *nodes, size_t start, struct pv_tree_budget *budget)
{
	size_t kept = start, last = nodes->count - start;
	for (size_t i = start; i < nodes->count; i++) {
		struct focus focus = {
		    .ref = nodes->refs[i],
		    .position = i - start + 1,
		    .last = last,
		    .budget = budget,
		};
		struct pv_xpath_value value;
		pv_xpath_value_init(&value);
		bool is_evaluated = evaluate(predicate, &focus, &value);
		if (is_evaluated && is_chosen(&value, focus.position))
			nodes->refs[kept++] = nodes->refs[i];
		pv_xpath_value_finish(&value);
		if (!is_evaluated)
			return false;
	}
	nodes->count = kept;
	return true;
}

static bool filter(const struct pv_xpath_op *predicates,
    struct pv_xpath_value *nodes, size_t start, struct pv_tree_budget *budget)
{
	for (; predicates; predicates = predicates->next) {
		if (!filter_by(predicates, nodes, start, budget))
			return false;
	}
	return true;
}

/* How many nodes of the axis are enough where the first predicate is a number:
 * without it [1] of siblings costs the square of their number. */
static size_t enough_of(const struct pv_xpath_step *step)
{
	const struct pv_xpath_op *first = step->predicates;
	bool is_number = first && first->kind == PV_XPATH_NUMBER &&
			 first->number >= 1 &&
			 first->number < PV_XPATH_REFS_MAX;
	return is_number ? (size_t)first->number : SIZE_MAX;
}

static bool take_step_from(const struct pv_xpath_step *step,
    struct pv_xpath_ref origin, struct pv_xpath_value *found,
    struct pv_tree_budget *budget)
{
	size_t start = found->count, enough = enough_of(step);
	struct pv_axis_walk walk;
	struct pv_xpath_ref ref;
	pv_axis_start(&walk, step->axis, origin);
	while (found->count - start < enough && pv_axis_next(&walk, &ref)) {
		if (!pv_tree_budget_take(budget, 1 + walk.attribute / 4))
			return false;
		if (pv_xpath_step_fits(step, ref) &&
		    !pv_xpath_value_add(found, ref))
			return false;
	}
	return filter(step->predicates, found, start, budget);
}

/* What is below a node is not below another that is within it. Where positions
 * count, each is to be taken by itself. */
static bool is_covered(const struct pv_xpath_step *step,
    struct pv_xpath_ref ref, const struct pv_tree_node *end)
{
	bool is_deep = step->axis == PV_AXIS_DESCENDANT ||
		       step->axis == PV_AXIS_DESCENDANT_OR_SELF;
	return is_deep && !step->predicates && end && ref.node < end &&
	       !ref.attribute;
}

/* From each node, which are in order; gives the nodes found in their place. */
static bool take_step(const struct pv_xpath_step *step,
    struct pv_xpath_value *nodes, struct pv_tree_budget *budget)
{
	struct pv_xpath_value found;
	const struct pv_tree_node *end = NULL;
	bool is_taken = true;
	pv_xpath_value_init(&found);
	for (size_t i = 0; i < nodes->count && is_taken; i++) {
		struct pv_xpath_ref ref = nodes->refs[i];
		is_taken = pv_tree_budget_take(budget, 1);
		if (!is_taken || is_covered(step, ref, end))
			continue;
		is_taken = take_step_from(step, ref, &found, budget);
		end = ref.attribute ? end : pv_node_end(ref.node);
	}
	pv_xpath_value_sort(&found, budget);
	pv_xpath_value_finish(nodes);
	*nodes = found;
	return is_taken && budget->steps;
}

/* Where a path begins. */
static bool find_start(const struct pv_xpath_op *op, const struct focus *focus,
    struct pv_xpath_value *nodes)
{
	struct pv_xpath_ref ref = focus->ref;
	if (op->left)
		return evaluate(op->left, focus, nodes);
	if (op->is_absolute)
		ref = (struct pv_xpath_ref){pv_node_document(ref.node), 0};
	return pv_xpath_value_add(nodes, ref);
}

static bool follow(const struct pv_xpath_op *op, size_t step_count,
    const struct focus *focus, struct pv_xpath_value *nodes)
{
	if (!find_start(op, focus, nodes))
		return false;
	for (const struct pv_xpath_step *step = op->steps; step && step_count;
	     step = step->next) {
		if (!take_step(step, nodes, focus->budget))
			return false;
		step_count--;
	}
	return true;
}

static bool unite(const struct pv_xpath_op *op, const struct focus *focus,
    struct pv_xpath_value *value)
{
	struct pv_xpath_value right;
	pv_xpath_value_init(&right);
	bool is_united = evaluate(op->left, focus, value) &&
			 evaluate(op->right, focus, &right) &&
			 pv_tree_budget_take(focus->budget, right.count);
	for (size_t i = 0; i < right.count && is_united; i++)
		is_united = pv_xpath_value_add(value, right.refs[i]);
	pv_xpath_value_finish(&right);
	pv_xpath_value_sort(value, focus->budget);
	return is_united;
}

static bool call(const struct pv_xpath_op *op, const struct focus *focus,
    struct pv_xpath_value *value)
{
	struct pv_xpath_value arguments[PV_XPATH_ARGUMENTS_MAX];
	struct pv_xpath_call call = {
	    .arguments = arguments,
	    .node = focus->ref,
	    .position = focus->position,
	    .last = focus->last,
	    .budget = focus->budget,
	};
	bool is_evaluated = true;
	for (const struct pv_xpath_op *argument = op->first;
	     argument && is_evaluated; argument = argument->next) {
		pv_xpath_value_init(&arguments[call.count]);
		is_evaluated =
		    evaluate(argument, focus, &arguments[call.count++]);
	}
	if (is_evaluated)
		op->function->call(&call, value);
	for (size_t i = 0; i < call.count; i++)
		pv_xpath_value_finish(&arguments[i]);
	return is_evaluated;
}

static double reckon(enum pv_xpath_kind kind, double left, double right)
{
	switch (kind) {
	case PV_XPATH_ADD:
		return left + right;
	case PV_XPATH_SUBTRACT:
		return left - right;
	case PV_XPATH_MULTIPLY:
		return left * right;
	case PV_XPATH_DIVIDE:
		return left / right;
	default:
		return fmod(left, right);
	}
}

/* Of two values: a comparison, or arithmetic. */
static bool combine(const struct pv_xpath_op *op, const struct focus *focus,
    struct pv_xpath_value *value)
{
	struct pv_xpath_value left, right;
	struct pv_tree_budget *budget = focus->budget;
	pv_xpath_value_init(&left);
	pv_xpath_value_init(&right);
	bool is_evaluated = evaluate(op->left, focus, &left) &&
			    evaluate(op->right, focus, &right);
	if (is_evaluated && op->kind >= PV_XPATH_ADD)
		pv_xpath_value_set_number(
		    value, reckon(op->kind, pv_xpath_number(&left, budget),
			       pv_xpath_number(&right, budget)));
	else if (is_evaluated)
		pv_xpath_value_set_boolean(
		    value, pv_xpath_compare(op->kind, &left, &right, budget));
	pv_xpath_value_finish(&left);
	pv_xpath_value_finish(&right);
	return is_evaluated;
}

static bool is_true(
    const struct pv_xpath_op *op, const struct focus *focus, bool *is_evaluated)
{
	struct pv_xpath_value value;
	pv_xpath_value_init(&value);
	*is_evaluated = evaluate(op, focus, &value);
	bool truth = *is_evaluated && pv_xpath_boolean(&value);
	pv_xpath_value_finish(&value);
	return truth;
}

/* "or" and "and": the right side only where it matters. */
static bool decide(const struct pv_xpath_op *op, const struct focus *focus,
    struct pv_xpath_value *value)
{
	bool is_evaluated;
	bool truth = is_true(op->left, focus, &is_evaluated);
	if (is_evaluated && truth == (op->kind == PV_XPATH_AND))
		truth = is_true(op->right, focus, &is_evaluated);
	pv_xpath_value_set_boolean(value, truth);
	return is_evaluated;
}

static bool negate(const struct pv_xpath_op *op, const struct focus *focus,
    struct pv_xpath_value *value)
{
	struct pv_xpath_value left;
	pv_xpath_value_init(&left);
	bool is_evaluated = evaluate(op->left, focus, &left);
	pv_xpath_value_set_number(
	    value, -pv_xpath_number(&left, focus->budget));
	pv_xpath_value_finish(&left);
	return is_evaluated;
}

static bool evaluate(const struct pv_xpath_op *op, const struct focus *focus,
    struct pv_xpath_value *value)
{
	bool is_evaluated = pv_tree_budget_take(focus->budget, 4);
	if (!is_evaluated)
		return false;
	switch (op->kind) {
	case PV_XPATH_OR:
	case PV_XPATH_AND:
		is_evaluated = decide(op, focus, value);
		break;
	case PV_XPATH_NEGATE:
		is_evaluated = negate(op, focus, value);
		break;
	case PV_XPATH_UNION:
		is_evaluated = unite(op, focus, value);
		break;
	case PV_XPATH_TEXT:
		pv_xpath_value_set_text(value, op->text);
		break;
	case PV_XPATH_NUMBER:
		pv_xpath_value_set_number(value, op->number);
		break;
	case PV_XPATH_CALL:
		is_evaluated = call(op, focus, value);
		break;
	case PV_XPATH_FILTER:
		is_evaluated = evaluate(op->left, focus, value) &&
			       filter(op->first, value, 0, focus->budget);
		break;
	case PV_XPATH_PATH:
		is_evaluated = follow(op, SIZE_MAX, focus, value);
		break;
	default:
		is_evaluated = combine(op, focus, value);
		break;
	}
	return is_evaluated && focus->budget->steps;
}

static bool add_match(struct pv_matches *matches, struct pv_xpath_ref ref)
{
	struct pv_str name, text;
	bool is_text = ref.node->kind != PV_TREE_ELEMENT &&
		       ref.node->kind != PV_TREE_DOCUMENT;
	if (ref.attribute) {
		pv_node_attribute_at(ref.node, ref.attribute, &name, &text);
		return pv_matches_add_attribute(matches, ref.node, text);
	}
	return is_text ? pv_matches_add_text(matches, pv_node_content(ref.node))
		       : pv_matches_add_node(matches, ref.node);
}

static void add_matches(struct pv_matches *matches,
    const struct pv_xpath_value *value, struct pv_tree_budget *budget)
{
	struct pv_buf scratch;
	if (value->sort != PV_XPATH_REFS) {
		pv_xpath_scratch_init(&scratch);
		pv_matches_add_copy(
		    matches, pv_xpath_text(value, &scratch, budget));
		pv_buf_finish(&scratch);
		return;
	}
	for (size_t i = 0; i < value->count; i++) {
		if (!add_match(matches, value->refs[i]))
			return;
	}
}

static struct focus focus_of(
    const struct pv_tree_node *context, struct pv_tree_budget *budget)
{
	return (struct focus){
	    .ref = {context, 0},
	    .position = 1,
	    .last = 1,
	    .budget = budget,
	};
}

bool pv_xpath_match(const struct pv_xpath *xpath,
    const struct pv_tree_node *context, struct pv_tree_budget *budget,
    struct pv_matches *matches)
{
	struct focus focus = focus_of(context, budget);
	struct pv_xpath_value value;
	pv_xpath_value_init(&value);
	bool is_evaluated = evaluate(xpath->top, &focus, &value);
	if (is_evaluated)
		add_matches(matches, &value, budget);
	pv_xpath_value_finish(&value);
	return is_evaluated;
}

bool pv_xpath_count(const struct pv_xpath_op *path, size_t steps,
    const struct pv_tree_node *context, struct pv_tree_budget *budget,
    size_t *count)
{
	struct focus focus = focus_of(context, budget);
	struct pv_xpath_value value;
	pv_xpath_value_init(&value);
	bool is_evaluated = follow(path, steps, &focus, &value);
	*count = value.count;
	pv_xpath_value_finish(&value);
	return is_evaluated;
}
