#include "policy/pages/each.h"

#include "policy/pages/source.h"
#include "tree/expression.h"

static const struct pv_member_key keys[] = {PV_ELEMENT_KEYS};
static const struct pv_member_table table = {keys, sizeof(keys) / sizeof(*keys),
    "each has css, xpath or json, since it finds elements"};

static bool check_each(struct pv_reading *reading, const struct pv_node *node,
    const struct pv_source *each)
{
	return !each->expression ||
	       pv_expression_finds_elements(each->expression) ||
	       pv_reading_fail(reading, node,
		   "this finds texts, in which there are no fields: let the "
		   "selector or path end with an element");
}

bool pv_each_read(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *each)
{
	static const char expected[] =
	    "a CSS selector, or a mapping with css, xpath or json";
	if (node->kind == PV_NODE_TEXT)
		return pv_source_read_css(reading, node, each) &&
		       check_each(reading, node, each);
	if (node->kind != PV_NODE_MAP || !node->first)
		return pv_reading_expected(reading, node, expected);
	if (!pv_members_read(reading, node, &table, each))
		return false;
	if (pv_source_count(node) != 1)
		return pv_source_fail_count(
		    reading, node, "css, xpath or json");
	return pv_source_read(reading, node, each) &&
	       check_each(reading, node, each);
}
