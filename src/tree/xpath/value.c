#include "tree/xpath/value.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "tree/xpath/number.h"

#define TEXT_MAX ((size_t)16 << 20)
#define SORTING_STEPS 8 /* of a node */

void pv_xpath_scratch_init(struct pv_buf *buf)
{
	pv_buf_init(buf, TEXT_MAX);
}

void pv_xpath_value_init(struct pv_xpath_value *value)
{
	*value = (struct pv_xpath_value){.sort = PV_XPATH_REFS};
	pv_xpath_scratch_init(&value->own);
}

void pv_xpath_value_finish(struct pv_xpath_value *value)
{
	pv_buf_finish(&value->own);
	free(value->refs);
}

void pv_xpath_value_set_boolean(struct pv_xpath_value *value, bool boolean)
{
	value->sort = PV_XPATH_BOOLEAN;
	value->boolean = boolean;
}

void pv_xpath_value_set_number(struct pv_xpath_value *value, double number)
{
	value->sort = PV_XPATH_DOUBLE;
	value->number = number;
}

void pv_xpath_value_set_text(struct pv_xpath_value *value, struct pv_str text)
{
	value->sort = PV_XPATH_STRING;
	value->text = text;
}

void pv_xpath_value_set_copy(struct pv_xpath_value *value, struct pv_str text,
    struct pv_tree_budget *budget)
{
	value->sort = PV_XPATH_STRING;
	if (!pv_tree_budget_take_bytes(budget, text.len) ||
	    !pv_buf_append(&value->own, text))
		budget->steps = 0;
	value->text = pv_buf_str(&value->own);
}

bool pv_xpath_value_add(struct pv_xpath_value *value, struct pv_xpath_ref ref)
{
	if (value->count >= PV_XPATH_REFS_MAX)
		return false;
	*PV_ARRAY_PUSH(value->refs, value->count, value->size) = ref;
	return true;
}

static int compare(const void *first, const void *second)
{
	const struct pv_xpath_ref *a = first, *b = second;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->attribute > b->attribute) - (a->attribute < b->attribute);
}

void pv_xpath_value_sort(
    struct pv_xpath_value *value, struct pv_tree_budget *budget)
{
	size_t kept = 0;
	bool is_sorted = true;
	for (size_t i = 1; i < value->count && is_sorted; i++)
		is_sorted = compare(&value->refs[i - 1], &value->refs[i]) < 0;
	if (is_sorted ||
	    !pv_tree_budget_take(budget, SORTING_STEPS * value->count))
		return;
	qsort(value->refs, value->count, sizeof(*value->refs), compare);
	for (size_t i = 0; i < value->count; i++) {
		if (!i || compare(&value->refs[kept - 1], &value->refs[i]) != 0)
			value->refs[kept++] = value->refs[i];
	}
	value->count = kept;
}

/* All texts below. A single one is borrowed. */
static struct pv_str text_below(const struct pv_tree_node *node,
    struct pv_buf *scratch, struct pv_tree_budget *budget)
{
	struct pv_str single = PV_STR("");
	bool has_any = false;
	pv_buf_clear(scratch);
	for (uint32_t i = 1; i <= node->below; i++) {
		if (node[i].kind != PV_TREE_TEXT)
			continue;
		struct pv_str text = pv_node_content(&node[i]);
		if (has_any && !scratch->len)
			pv_buf_append(scratch, single);
		if (has_any)
			pv_buf_append(scratch, text);
		if (!pv_tree_budget_take_bytes(budget, text.len))
			return PV_STR("");
		single = text;
		has_any = true;
	}
	return scratch->len ? pv_buf_str(scratch) : single;
}

struct pv_str pv_xpath_text_of(struct pv_xpath_ref ref, struct pv_buf *scratch,
    struct pv_tree_budget *budget)
{
	struct pv_str name, text = PV_STR("");
	const struct pv_tree_node *node = ref.node;
	if (ref.attribute) {
		pv_node_attribute_at(node, ref.attribute, &name, &text);
		pv_tree_budget_take_bytes(budget, text.len);
		return text;
	}
	if (node->kind == PV_TREE_ELEMENT || node->kind == PV_TREE_DOCUMENT)
		return pv_tree_budget_take(budget, node->below + 1)
			   ? text_below(node, scratch, budget)
			   : text;
	text = pv_node_content(node);
	pv_tree_budget_take_bytes(budget, text.len);
	return text;
}

bool pv_xpath_boolean(const struct pv_xpath_value *value)
{
	switch (value->sort) {
	case PV_XPATH_REFS:
		return value->count > 0;
	case PV_XPATH_STRING:
		return value->text.len > 0;
	case PV_XPATH_DOUBLE:
		return !isnan(value->number) && value->number != 0;
	case PV_XPATH_BOOLEAN:
		return value->boolean;
	}
	return false;
}

double pv_xpath_number_of_ref(
    struct pv_xpath_ref ref, struct pv_tree_budget *budget)
{
	struct pv_buf scratch;
	pv_xpath_scratch_init(&scratch);
	double number =
	    pv_xpath_number_of(pv_xpath_text_of(ref, &scratch, budget));
	pv_buf_finish(&scratch);
	return number;
}

double pv_xpath_number(
    const struct pv_xpath_value *value, struct pv_tree_budget *budget)
{
	switch (value->sort) {
	case PV_XPATH_REFS:
		return value->count
			   ? pv_xpath_number_of_ref(value->refs[0], budget)
			   : NAN;
	case PV_XPATH_STRING:
		pv_tree_budget_take_bytes(budget, value->text.len);
		return pv_xpath_number_of(value->text);
	case PV_XPATH_DOUBLE:
		return value->number;
	case PV_XPATH_BOOLEAN:
		return value->boolean;
	}
	return NAN;
}

struct pv_str pv_xpath_text(const struct pv_xpath_value *value,
    struct pv_buf *scratch, struct pv_tree_budget *budget)
{
	switch (value->sort) {
	case PV_XPATH_REFS:
		return value->count
			   ? pv_xpath_text_of(value->refs[0], scratch, budget)
			   : PV_STR("");
	case PV_XPATH_STRING:
		return value->text;
	case PV_XPATH_DOUBLE:
		pv_buf_clear(scratch);
		pv_xpath_number_append(scratch, value->number);
		return pv_buf_str(scratch);
	case PV_XPATH_BOOLEAN:
		return value->boolean ? PV_STR("true") : PV_STR("false");
	}
	return PV_STR("");
}
