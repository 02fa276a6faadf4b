#include "tree/xpath/path_parser.h"

#include "base/ascii.h"
#include "tree/xpath/functions.h"

static const struct {
	struct pv_str name;
	enum pv_xpath_axis axis;
} axes[] = {
    {PV_STR("child"), PV_AXIS_CHILD},
    {PV_STR("descendant"), PV_AXIS_DESCENDANT},
    {PV_STR("descendant-or-self"), PV_AXIS_DESCENDANT_OR_SELF},
    {PV_STR("self"), PV_AXIS_SELF},
    {PV_STR("parent"), PV_AXIS_PARENT},
    {PV_STR("ancestor"), PV_AXIS_ANCESTOR},
    {PV_STR("ancestor-or-self"), PV_AXIS_ANCESTOR_OR_SELF},
    {PV_STR("following-sibling"), PV_AXIS_FOLLOWING_SIBLING},
    {PV_STR("preceding-sibling"), PV_AXIS_PRECEDING_SIBLING},
    {PV_STR("following"), PV_AXIS_FOLLOWING},
    {PV_STR("preceding"), PV_AXIS_PRECEDING},
    {PV_STR("attribute"), PV_AXIS_ATTRIBUTE},
};

static const struct {
	struct pv_str name;
	enum pv_xpath_test test;
} types[] = {
    {PV_STR("node"), PV_XPATH_NODES},
    {PV_STR("text"), PV_XPATH_TEXTS},
    {PV_STR("comment"), PV_XPATH_COMMENTS},
    {PV_STR("processing-instruction"), PV_XPATH_INSTRUCTIONS},
};

static bool find_axis(struct pv_str name, enum pv_xpath_axis *axis)
{
	for (size_t i = 0; i < sizeof(axes) / sizeof(*axes); i++) {
		if (pv_str_equal(axes[i].name, name)) {
			*axis = axes[i].axis;
			return true;
		}
	}
	return false;
}

static bool find_type(struct pv_str name, enum pv_xpath_test *test)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (pv_str_equal(types[i].name, name)) {
			*test = types[i].test;
			return true;
		}
	}
	return false;
}

/* Whether it may be other than a truth that is the same wherever the node
 * stands among others: a number, or what asks for the position. */
static bool is_positional(const struct pv_xpath_op *op)
{
	if (!op)
		return false;
	if (op->kind == PV_XPATH_CALL) {
		struct pv_str name = op->function->name;
		if (pv_str_equal(name, PV_STR("position")) ||
		    pv_str_equal(name, PV_STR("last")))
			return true;
	}
	for (const struct pv_xpath_op *item = op->first; item;
	     item = item->next) {
		if (is_positional(item))
			return true;
	}
	return is_positional(op->left) || is_positional(op->right);
}

static bool is_numeric(const struct pv_xpath_op *op)
{
	return (op->kind >= PV_XPATH_ADD && op->kind <= PV_XPATH_NEGATE) ||
	       op->kind == PV_XPATH_NUMBER ||
	       (op->kind == PV_XPATH_CALL &&
		   op->function->result == PV_XPATH_DOUBLE);
}

static bool has_positions(const struct pv_xpath_step *step)
{
	for (const struct pv_xpath_op *predicate = step->predicates; predicate;
	     predicate = predicate->next) {
		if (is_numeric(predicate) || is_positional(predicate))
			return true;
	}
	return false;
}

/* "//a" is written short for a step to all nodes and one to their children:
 * where no positions are asked for, that is one step. */
static void add_step(struct pv_xpath_step ***end, bool is_deep,
    struct pv_xpath_step *step, struct pv_xpath_parsing *parsing)
{
	if (is_deep && step->axis == PV_AXIS_CHILD && !has_positions(step)) {
		step->axis = PV_AXIS_DESCENDANT;
	} else if (is_deep) {
		struct pv_xpath_step *all =
		    pv_arena_give(parsing->arena, sizeof(*all));
		all->axis = PV_AXIS_DESCENDANT_OR_SELF;
		all->test = PV_XPATH_NODES;
		all->end = step->end;
		**end = all;
		*end = &all->next;
	}
	**end = step;
	*end = &step->next;
}

/* "name::" or "@", or nothing: children. */
static bool take_axis(
    struct pv_xpath_parsing *parsing, struct pv_xpath_step *step)
{
	if (pv_xpath_accept(parsing, PV_STR("@"))) {
		step->axis = PV_AXIS_ATTRIBUTE;
		return true;
	}
	struct pv_xpath_parsing ahead = *parsing;
	struct pv_str name = pv_xpath_take_name(&ahead);
	if (!name.len || !pv_xpath_accept(&ahead, PV_STR("::")))
		return true;
	if (!find_axis(name, &step->axis)) {
		pv_xpath_tell(parsing,
		    "this axis is not known; there are child, descendant, "
		    "parent, ancestor, self, following, preceding, "
		    "following-sibling, preceding-sibling, attribute");
		return false;
	}
	parsing->reader = ahead.reader;
	return true;
}

/* Behind the name of a type and "(". */
static bool take_type_end(struct pv_xpath_parsing *parsing)
{
	if (pv_xpath_accept(parsing, PV_STR(")")))
		return true;
	pv_xpath_tell(parsing, "\")\" is expected here");
	return false;
}

static bool take_node_test(
    struct pv_xpath_parsing *parsing, struct pv_xpath_step *step)
{
	if (pv_xpath_accept(parsing, PV_STR("*"))) {
		step->test = PV_XPATH_ANY;
		return true;
	}
	struct pv_xpath_parsing before = *parsing;
	step->name = pv_xpath_take_name(parsing);
	step->name_hash = pv_node_name_hash(step->name);
	step->test = PV_XPATH_NAMED;
	if (!step->name.len) {
		pv_xpath_tell(parsing,
		    "a step is expected here: a name, *, @name, text(), . or "
		    "..");
		return false;
	}
	if (!pv_xpath_accept(parsing, PV_STR("(")))
		return true;
	if (find_type(step->name, &step->test))
		return take_type_end(parsing);
	pv_xpath_tell(&before,
	    "a function cannot be a step; write it around the path, as in "
	    "string(//p), or into a predicate");
	return false;
}

static struct pv_xpath_step *take_step(struct pv_xpath_parsing *parsing)
{
	struct pv_xpath_step *step =
	    pv_arena_give(parsing->arena, sizeof(*step));
	bool is_short = true;
	step->test = PV_XPATH_NODES;
	if (pv_xpath_accept(parsing, PV_STR("..")))
		step->axis = PV_AXIS_PARENT;
	else if (pv_xpath_accept(parsing, PV_STR(".")))
		step->axis = PV_AXIS_SELF;
	else
		is_short = false;
	if (!is_short &&
	    (!take_axis(parsing, step) || !take_node_test(parsing, step) ||
		!pv_xpath_parse_predicates(parsing, &step->predicates)))
		return NULL;
	if (is_short && pv_xpath_peek(parsing) == '[')
		return pv_xpath_tell(parsing,
		    "no predicate may follow . or ..; write self::node() or "
		    "parent::node()");
	step->end = pv_xpath_offset(parsing);
	return step;
}

/* Steps with "/" or "//" between them; `is_deep`: "//" is before the first. */
static bool take_steps(struct pv_xpath_parsing *parsing,
    struct pv_xpath_step **first, bool is_deep)
{
	struct pv_xpath_step **end = first;
	bool has_more;
	do {
		struct pv_xpath_step *step = take_step(parsing);
		if (!step)
			return false;
		add_step(&end, is_deep, step, parsing);
		is_deep = pv_xpath_accept(parsing, PV_STR("//"));
		has_more = is_deep || pv_xpath_accept(parsing, PV_STR("/"));
	} while (has_more);
	return true;
}

static bool is_at_step(struct pv_xpath_parsing *parsing)
{
	int byte = pv_xpath_peek(parsing);
	return byte == '*' || byte == '.' || byte == '@' || byte == '_' ||
	       byte >= 0x80 || pv_is_alpha(byte);
}

struct pv_xpath_op *pv_xpath_parse_path(struct pv_xpath_parsing *parsing)
{
	struct pv_xpath_op *op = pv_xpath_add_op(parsing, PV_XPATH_PATH);
	bool is_deep = pv_xpath_accept(parsing, PV_STR("//"));
	op->is_absolute = is_deep || pv_xpath_accept(parsing, PV_STR("/"));
	if (op->is_absolute && !is_deep && !is_at_step(parsing))
		return op;
	return take_steps(parsing, &op->steps, is_deep) ? op : NULL;
}

struct pv_xpath_op *pv_xpath_parse_path_of(
    struct pv_xpath_parsing *parsing, struct pv_xpath_op *left)
{
	bool is_deep = pv_xpath_accept(parsing, PV_STR("//"));
	if (!is_deep && !pv_xpath_accept(parsing, PV_STR("/")))
		return left;
	struct pv_xpath_op *op = pv_xpath_add_op(parsing, PV_XPATH_PATH);
	op->left = left;
	return take_steps(parsing, &op->steps, is_deep) ? op : NULL;
}
