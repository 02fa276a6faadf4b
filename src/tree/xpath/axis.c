#include "tree/xpath/axis.h"

/* The document comes last on the way up, and first on the way back. */
static const struct pv_tree_node *before(
    const struct pv_tree_node *node, const struct pv_tree_node *origin)
{
	/* Those that hold the origin are not before it. */
	while (node && pv_node_end(node) > origin)
		node = node->up ? node - 1 : NULL;
	return node;
}

static const struct pv_tree_node *inside(
    const struct pv_tree_node *node, const struct pv_tree_node *end)
{
	return node < end ? node : NULL;
}

/* From an attribute: it has a parent and what is behind it, nothing else. */
static void start_at_attribute(struct pv_axis_walk *walk)
{
	const struct pv_tree_node *node = walk->origin.node;
	switch (walk->axis) {
	case PV_AXIS_PARENT:
	case PV_AXIS_ANCESTOR:
		walk->at = node;
		break;
	case PV_AXIS_FOLLOWING:
		walk->at = inside(node + 1, walk->end);
		break;
	case PV_AXIS_PRECEDING:
		walk->at = node->up ? before(node - 1, node) : NULL;
		break;
	default: /* itself, which pv_axis_next gives */
		walk->at = NULL;
		break;
	}
}

static void start_at_node(struct pv_axis_walk *walk)
{
	const struct pv_tree_node *node = walk->origin.node;
	switch (walk->axis) {
	case PV_AXIS_CHILD:
	case PV_AXIS_DESCENDANT:
		walk->at = node->below ? node + 1 : NULL;
		break;
	case PV_AXIS_DESCENDANT_OR_SELF:
	case PV_AXIS_SELF:
	case PV_AXIS_ANCESTOR_OR_SELF:
	case PV_AXIS_ATTRIBUTE:
		walk->at = node;
		break;
	case PV_AXIS_PARENT:
	case PV_AXIS_ANCESTOR:
		walk->at = pv_node_parent(node);
		break;
	case PV_AXIS_FOLLOWING_SIBLING:
		walk->at = pv_node_next(node);
		break;
	case PV_AXIS_PRECEDING_SIBLING:
		walk->at = pv_node_previous(node);
		break;
	case PV_AXIS_FOLLOWING:
		walk->at = inside(pv_node_end(node), walk->end);
		break;
	case PV_AXIS_PRECEDING:
		walk->at = node->up ? before(node - 1, node) : NULL;
		break;
	}
}

void pv_axis_start(struct pv_axis_walk *walk, enum pv_xpath_axis axis,
    struct pv_xpath_ref origin)
{
	*walk = (struct pv_axis_walk){.axis = axis, .origin = origin};
	walk->end = axis == PV_AXIS_FOLLOWING
			? pv_node_end(pv_node_document(origin.node))
			: pv_node_end(origin.node);
	if (origin.attribute)
		start_at_attribute(walk);
	else
		start_at_node(walk);
	bool has_itself = axis == PV_AXIS_SELF ||
			  axis == PV_AXIS_ANCESTOR_OR_SELF ||
			  axis == PV_AXIS_DESCENDANT_OR_SELF;
	if (origin.attribute && has_itself)
		walk->attribute = origin.attribute;
}

static const struct pv_tree_node *after(const struct pv_axis_walk *walk)
{
	const struct pv_tree_node *at = walk->at;
	switch (walk->axis) {
	case PV_AXIS_CHILD:
	case PV_AXIS_FOLLOWING_SIBLING:
		return pv_node_next(at);
	case PV_AXIS_DESCENDANT:
	case PV_AXIS_DESCENDANT_OR_SELF:
	case PV_AXIS_FOLLOWING:
		return inside(at + 1, walk->end);
	case PV_AXIS_ANCESTOR:
	case PV_AXIS_ANCESTOR_OR_SELF:
		return pv_node_parent(at);
	case PV_AXIS_PRECEDING_SIBLING:
		return pv_node_previous(at);
	case PV_AXIS_PRECEDING:
		return at->up ? before(at - 1, walk->origin.node) : NULL;
	case PV_AXIS_SELF:
	case PV_AXIS_PARENT:
	case PV_AXIS_ATTRIBUTE:
		break;
	}
	return NULL;
}

static bool next_attribute(struct pv_axis_walk *walk, struct pv_xpath_ref *ref)
{
	struct pv_str name, value;
	*ref = (struct pv_xpath_ref){walk->origin.node, ++walk->attribute};
	return walk->at && pv_node_attribute_at(walk->origin.node,
			       walk->attribute, &name, &value);
}

bool pv_axis_next(struct pv_axis_walk *walk, struct pv_xpath_ref *ref)
{
	if (walk->axis == PV_AXIS_ATTRIBUTE)
		return next_attribute(walk, ref);
	if (walk->attribute) { /* the origin is one, and its axis has it */
		*ref = walk->origin;
		walk->attribute = 0;
		if (walk->axis == PV_AXIS_ANCESTOR_OR_SELF)
			walk->at = walk->origin.node;
		return true;
	}
	if (!walk->at)
		return false;
	*ref = (struct pv_xpath_ref){walk->at, 0};
	walk->at = after(walk);
	return true;
}

static bool is_named(const struct pv_xpath_step *step, struct pv_xpath_ref ref)
{
	struct pv_str name = PV_STR(""), value;
	if (!ref.attribute)
		return ref.node->kind == PV_TREE_ELEMENT &&
		       ref.node->name_hash == step->name_hash &&
		       pv_node_is_named(ref.node, step->name);
	pv_node_attribute_at(ref.node, ref.attribute, &name, &value);
	return pv_str_equal(name, step->name);
}

/* A name is that of an attribute on its axis, and of an element on others. */
bool pv_xpath_step_fits(
    const struct pv_xpath_step *step, struct pv_xpath_ref ref)
{
	bool is_principal =
	    (step->axis == PV_AXIS_ATTRIBUTE) == (ref.attribute != 0);
	enum pv_tree_kind kind = ref.node->kind;
	switch (step->test) {
	case PV_XPATH_NAMED:
		return is_principal && is_named(step, ref);
	case PV_XPATH_ANY:
		return is_principal && kind == PV_TREE_ELEMENT;
	case PV_XPATH_NODES:
		return true;
	case PV_XPATH_TEXTS:
		return !ref.attribute && kind == PV_TREE_TEXT;
	case PV_XPATH_COMMENTS:
		return !ref.attribute && kind == PV_TREE_COMMENT;
	case PV_XPATH_INSTRUCTIONS:
		return !ref.attribute && kind == PV_TREE_OTHER;
	}
	return false;
}
