#include "tree/xpath/compare.h"

#include <math.h>

/* One of the things that are compared: one of the nodes, or the value. */
static double number_at(
    const struct pv_xpath_value *value, size_t i, struct pv_tree_budget *budget)
{
	return value->sort == PV_XPATH_REFS
		   ? pv_xpath_number_of_ref(value->refs[i], budget)
		   : pv_xpath_number(value, budget);
}

static struct pv_str text_at(const struct pv_xpath_value *value, size_t i,
    struct pv_buf *scratch, struct pv_tree_budget *budget)
{
	return value->sort == PV_XPATH_REFS
		   ? pv_xpath_text_of(value->refs[i], scratch, budget)
		   : pv_xpath_text(value, scratch, budget);
}

static size_t count_of(const struct pv_xpath_value *value)
{
	return value->sort == PV_XPATH_REFS ? value->count : 1;
}

static bool is_in_order(enum pv_xpath_kind kind, double left, double right)
{
	switch (kind) {
	case PV_XPATH_LESS:
		return left < right;
	case PV_XPATH_LESS_EQUAL:
		return left <= right;
	case PV_XPATH_GREATER:
		return left > right;
	default:
		return left >= right;
	}
}

/* Which of many numbers is sure to be in order if any is. */
static double extreme(const struct pv_xpath_value *value, bool is_least,
    struct pv_tree_budget *budget)
{
	double found = NAN;
	for (size_t i = 0; i < count_of(value) && budget->steps; i++) {
		double number = number_at(value, i, budget);
		if (isnan(found) ||
		    (is_least ? number < found : number > found))
			found = number;
	}
	return found;
}

static bool is_bool(const struct pv_xpath_value *value)
{
	return value->sort == PV_XPATH_BOOLEAN;
}

/* Nodes are one truth beside a truth, and many numbers beside others. */
static bool compare_order(enum pv_xpath_kind kind,
    const struct pv_xpath_value *left, const struct pv_xpath_value *right,
    struct pv_tree_budget *budget)
{
	bool is_left_least =
	    kind == PV_XPATH_LESS || kind == PV_XPATH_LESS_EQUAL;
	if (is_bool(left) || is_bool(right))
		return is_in_order(kind,
		    is_bool(right) ? pv_xpath_boolean(left)
				   : pv_xpath_number(left, budget),
		    is_bool(left) ? pv_xpath_boolean(right)
				  : pv_xpath_number(right, budget));
	return is_in_order(kind, extreme(left, is_left_least, budget),
	    extreme(right, !is_left_least, budget));
}

static bool is_any_number(enum pv_xpath_kind kind,
    const struct pv_xpath_value *nodes, double number,
    struct pv_tree_budget *budget)
{
	for (size_t i = 0; i < count_of(nodes) && budget->steps; i++) {
		double one = number_at(nodes, i, budget);
		if ((one == number) == (kind == PV_XPATH_EQUAL))
			return true;
	}
	return false;
}

static bool is_any_text(enum pv_xpath_kind kind,
    const struct pv_xpath_value *values, struct pv_str text,
    struct pv_tree_budget *budget)
{
	struct pv_buf scratch;
	bool is_any = false;
	pv_xpath_scratch_init(&scratch);
	for (size_t i = 0; i < count_of(values) && budget->steps && !is_any;
	     i++) {
		struct pv_str one = text_at(values, i, &scratch, budget);
		is_any = pv_str_equal(one, text) == (kind == PV_XPATH_EQUAL);
	}
	pv_buf_finish(&scratch);
	return is_any;
}

static bool is_any_pair(enum pv_xpath_kind kind,
    const struct pv_xpath_value *left, const struct pv_xpath_value *right,
    struct pv_tree_budget *budget)
{
	struct pv_buf scratch;
	bool is_any = false;
	pv_xpath_scratch_init(&scratch);
	for (size_t i = 0; i < count_of(left) && budget->steps && !is_any;
	     i++) {
		struct pv_str text = text_at(left, i, &scratch, budget);
		is_any = is_any_text(kind, right, text, budget);
	}
	pv_buf_finish(&scratch);
	return is_any;
}

static bool compare_equal(enum pv_xpath_kind kind,
    const struct pv_xpath_value *left, const struct pv_xpath_value *right,
    struct pv_tree_budget *budget)
{
	if (is_bool(left) || is_bool(right))
		return (pv_xpath_boolean(left) == pv_xpath_boolean(right)) ==
		       (kind == PV_XPATH_EQUAL);
	if (left->sort == PV_XPATH_DOUBLE)
		return is_any_number(kind, right, left->number, budget);
	if (right->sort == PV_XPATH_DOUBLE)
		return is_any_number(kind, left, right->number, budget);
	return is_any_pair(kind, left, right, budget);
}

bool pv_xpath_compare(enum pv_xpath_kind kind,
    const struct pv_xpath_value *left, const struct pv_xpath_value *right,
    struct pv_tree_budget *budget)
{
	return kind == PV_XPATH_EQUAL || kind == PV_XPATH_UNEQUAL
		   ? compare_equal(kind, left, right, budget)
		   : compare_order(kind, left, right, budget);
}
