#include "tree/css/selector.h"

#include "tree/css/tests.h"

struct matching {
	const struct pv_selector *selector;
	const struct pv_tree_node *context;
	struct pv_tree_budget *budget;
	struct pv_matches *matches;

	/* Elements around, whose texts are wanted: one in each depth. */
	const struct pv_tree_node *wanting[PV_NODE_DEPTH_MAX];
	size_t wanting_count;
};

static bool is_inside(
    const struct matching *matching, const struct pv_tree_node *node)
{
	return node && node >= matching->context &&
	       node < pv_node_end(matching->context);
}

static const struct pv_tree_node *previous_element(
    const struct matching *matching, const struct pv_tree_node *node)
{
	do {
		if (!pv_tree_budget_take(matching->budget, 1))
			return NULL;
		node = pv_node_previous(node);
	} while (node && node->kind != PV_TREE_ELEMENT);
	return node;
}

/* The next candidate for what stands before a combinator. */
static const struct pv_tree_node *go(const struct matching *matching,
    enum pv_css_combinator combinator, const struct pv_tree_node *node)
{
	bool is_upward =
	    combinator == PV_CSS_DESCENDANT || combinator == PV_CSS_CHILD;
	return is_upward ? pv_node_parent(node)
			 : previous_element(matching, node);
}

/* Whether the first `count` compounds lead to the node. Each call has one less.
 */
static bool is_led_to(const struct matching *matching,
    const struct pv_css_compound *compounds, size_t count,
    const struct pv_tree_node *node)
{
	const struct pv_css_compound *last = &compounds[count - 1];
	if (!pv_css_compound_fits(last, node, matching->budget))
		return false;
	if (count == 1)
		return true;
	bool is_once = last->combinator == PV_CSS_CHILD ||
		       last->combinator == PV_CSS_SIBLING;
	if (last->is_or_self && is_led_to(matching, compounds, count - 1, node))
		return true;
	do {
		node = go(matching, last->combinator, node);
		if (!is_inside(matching, node))
			return false;
		if (is_led_to(matching, compounds, count - 1, node))
			return true;
	} while (!is_once && matching->budget->steps);
	return false;
}

/* Bits: which selectors of the list match. */
static uint32_t find_fitting(
    const struct matching *matching, const struct pv_tree_node *node)
{
	const struct pv_selector *selector = matching->selector;
	uint32_t fitting = 0;
	for (size_t i = 0; i < selector->count; i++) {
		const struct pv_css_complex *item = &selector->items[i];
		const struct pv_css_compound *last =
		    &item->compounds[item->count - 1];
		if (pv_css_compound_may_fit(last, node) &&
		    is_led_to(matching, item->compounds, item->count, node))
			fitting |= UINT32_C(1) << i;
	}
	return fitting;
}

static bool wants_attribute(
    const struct pv_selector *selector, uint32_t fitting, struct pv_str name)
{
	for (size_t i = 0; i < selector->count; i++) {
		const struct pv_css_complex *item = &selector->items[i];
		if (fitting >> i & 1 && item->result == PV_CSS_ATTRIBUTES &&
		    pv_str_equal(item->attribute, name))
			return true;
	}
	return false;
}

static void add_attributes(const struct matching *matching, uint32_t fitting,
    const struct pv_tree_node *node)
{
	struct pv_str name, value;
	for (uint32_t i = 1; pv_node_attribute_at(node, i, &name, &value);
	     i++) {
		if (wants_attribute(matching->selector, fitting, name))
			pv_matches_add_attribute(
			    matching->matches, node, value);
	}
}

static uint32_t with_result(
    const struct pv_selector *selector, enum pv_css_result result)
{
	uint32_t bits = 0;
	for (size_t i = 0; i < selector->count; i++) {
		if (selector->items[i].result == result)
			bits |= UINT32_C(1) << i;
	}
	return bits;
}

static void match_element(
    struct matching *matching, const struct pv_tree_node *node)
{
	const struct pv_selector *selector = matching->selector;
	uint32_t fitting = find_fitting(matching, node);
	if (!fitting)
		return;
	if (fitting & with_result(selector, PV_CSS_ELEMENTS))
		pv_matches_add_node(matching->matches, node);
	if (fitting & with_result(selector, PV_CSS_ATTRIBUTES))
		add_attributes(matching, fitting, node);
	if (fitting & with_result(selector, PV_CSS_TEXTS) &&
	    matching->wanting_count < PV_NODE_DEPTH_MAX)
		matching->wanting[matching->wanting_count++] = node;
}

/* The innermost of the wanting elements that the node is in; NULL if there is
 * none. */
static const struct pv_tree_node *find_wanting(
    struct matching *matching, const struct pv_tree_node *node)
{
	while (matching->wanting_count) {
		const struct pv_tree_node *last =
		    matching->wanting[matching->wanting_count - 1];
		if (node < pv_node_end(last))
			return last;
		matching->wanting_count--;
	}
	return NULL;
}

bool pv_selector_match(const struct pv_selector *selector,
    const struct pv_tree_node *context, struct pv_tree_budget *budget,
    struct pv_matches *matches)
{
	struct matching matching = {
	    .selector = selector,
	    .context = context,
	    .budget = budget,
	    .matches = matches,
	};
	const struct pv_tree_node *end = pv_node_end(context);
	if (!pv_tree_budget_take(budget, context->below + 1))
		return false;
	for (const struct pv_tree_node *node = context;
	     node < end && budget->steps && !matches->is_full; node++) {
		const struct pv_tree_node *wanting =
		    find_wanting(&matching, node);
		if (node->kind == PV_TREE_ELEMENT)
			match_element(&matching, node);
		else if (node->kind == PV_TREE_TEXT && wanting &&
			 wanting == pv_node_parent(node))
			pv_matches_add_text(matches, pv_node_content(node));
	}
	return budget->steps > 0;
}
