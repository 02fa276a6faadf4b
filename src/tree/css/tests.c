#include "tree/css/tests.h"

#include "base/ascii.h"
#include "base/reader.h"

static bool is_word_byte(int byte)
{
	return !pv_is_html_space(byte);
}

static bool is_same(struct pv_str a, struct pv_str b, bool is_nocase)
{
	return is_nocase ? pv_str_equal_nocase(a, b) : pv_str_equal(a, b);
}

static bool has_word(struct pv_str words, struct pv_str word, bool is_nocase)
{
	struct pv_reader reader = pv_reader_of(words);
	while (!pv_reader_is_end(&reader)) {
		pv_reader_take_while(&reader, pv_is_html_space);
		struct pv_str one = pv_reader_take_while(&reader, is_word_byte);
		if (one.len && is_same(one, word, is_nocase))
			return true;
	}
	return false;
}

static bool contains(struct pv_str text, struct pv_str part, bool is_nocase)
{
	if (!is_nocase)
		return part.len <= text.len &&
		       memmem(text.ptr, text.len, part.ptr, part.len);
	for (size_t i = 0; i + part.len <= text.len; i++) {
		struct pv_str here = {text.ptr + i, part.len};
		if (pv_str_equal_nocase(here, part))
			return true;
	}
	return false;
}

static bool starts(struct pv_str text, struct pv_str part, bool is_nocase)
{
	return text.len >= part.len &&
	       is_same(pv_str_head(text, part.len), part, is_nocase);
}

static bool is_value(const struct pv_css_test *test, struct pv_str value)
{
	struct pv_str part = test->value;
	bool is_nocase = test->is_nocase;
	switch (test->operator) {
	case PV_CSS_PRESENT:
		return true;
	case PV_CSS_EQUAL:
		return is_same(value, part, is_nocase);
	case PV_CSS_WORD:
		return has_word(value, part, is_nocase);
	case PV_CSS_DASH:
		return is_same(value, part, is_nocase) ||
		       (starts(value, part, is_nocase) &&
			   value.ptr[part.len] == '-');
	case PV_CSS_STARTS:
		return part.len && starts(value, part, is_nocase);
	case PV_CSS_ENDS:
		return part.len && value.len >= part.len &&
		       is_same(pv_str_from(value, value.len - part.len), part,
			   is_nocase);
	case PV_CSS_CONTAINS:
		return part.len && contains(value, part, is_nocase);
	}
	return false;
}

static bool has_attribute(const struct pv_css_test *test,
    const struct pv_tree_node *node, struct pv_tree_budget *budget)
{
	struct pv_str value = pv_node_attribute(node, test->name);
	size_t work = value.len;
	if (test->is_nocase && test->operator== PV_CSS_CONTAINS)
		work *= 1 + test->value.len;
	return value.ptr && pv_tree_budget_take_bytes(budget, work) &&
	       is_value(test, value);
}

/* So many of its siblings on one side have its name, and itself; they are
 * counted no further than to one more than `enough`. */
static uint32_t count_of_type(const struct pv_tree_node *node, bool is_from_end,
    uint32_t enough, struct pv_tree_budget *budget)
{
	struct pv_str name = pv_node_name(node);
	const struct pv_tree_node *sibling = node;
	uint32_t count = 1;
	while (count <= enough && pv_tree_budget_take(budget, 1)) {
		sibling = is_from_end ? pv_node_next(sibling)
				      : pv_node_previous(sibling);
		if (!sibling)
			break;
		count += sibling->name_hash == node->name_hash &&
			 pv_node_is_named(sibling, name);
	}
	return count;
}

static bool is_nth(const struct pv_css_nth *nth,
    const struct pv_tree_node *node, struct pv_tree_budget *budget)
{
	int64_t number;
	bool is_bounded = nth->a <= 0;
	if (is_bounded && nth->b <= 0)
		return false;
	if (nth->is_of_type)
		number = count_of_type(node, nth->is_from_end,
		    is_bounded ? (uint32_t)nth->b : UINT32_MAX - 1, budget);
	else if (nth->is_from_end)
		number =
		    (int64_t)pv_node_parent(node)->elements - node->number + 1;
	else
		number = node->number;
	int64_t behind = number - nth->b;
	if (!nth->a)
		return !behind;
	return behind / nth->a >= 0 && behind % nth->a == 0;
}

/* Comments do not count. */
static bool is_empty(
    const struct pv_tree_node *node, struct pv_tree_budget *budget)
{
	if (node->elements)
		return false;
	for (uint32_t i = 1; i <= node->below; i++) {
		if (!pv_tree_budget_take(budget, 1) ||
		    (node[i].kind == PV_TREE_TEXT &&
			pv_node_content(&node[i]).len))
			return false;
	}
	return true;
}

static bool fits(const struct pv_css_test *test,
    const struct pv_tree_node *node, struct pv_tree_budget *budget)
{
	struct pv_str value;
	switch (test->kind) {
	case PV_CSS_TEST_ID:
		value = pv_node_attribute(node, PV_STR("id"));
		return value.ptr && pv_str_equal(value, test->value);
	case PV_CSS_TEST_CLASS:
		value = pv_node_attribute(node, PV_STR("class"));
		return value.ptr &&
		       pv_tree_budget_take_bytes(budget, value.len) &&
		       has_word(value, test->value, false);
	case PV_CSS_TEST_ATTRIBUTE:
		return has_attribute(test, node, budget);
	case PV_CSS_TEST_NTH:
		return is_nth(&test->nth, node, budget);
	case PV_CSS_TEST_EMPTY:
		return is_empty(node, budget);
	case PV_CSS_TEST_ROOT:
		return !pv_node_parent(node)->up;
	case PV_CSS_TEST_NOT:
		return !pv_css_compound_fits(test->compound, node, budget) &&
		       budget->steps > 0;
	}
	return false;
}

bool pv_css_compound_fits(const struct pv_css_compound *compound,
    const struct pv_tree_node *node, struct pv_tree_budget *budget)
{
	if (!pv_tree_budget_take(budget, 1) ||
	    !pv_css_compound_may_fit(compound, node) ||
	    (compound->type.len && !pv_node_is_named(node, compound->type)))
		return false;
	for (size_t i = 0; i < compound->test_count; i++) {
		if (!pv_tree_budget_take(budget, 2) ||
		    !fits(&compound->tests[i], node, budget))
			return false;
	}
	return true;
}
