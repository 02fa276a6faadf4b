#ifndef PAVANE_TREE_XPATH_OPS_H
#define PAVANE_TREE_XPATH_OPS_H

#include "base/arena.h"
#include "tree/nodes/node.h"

/* An XPath 1.0 expression, parsed: a tree of operations in an arena. It is
 * never changed, and any number of threads may read it. */
enum pv_xpath_kind {
	PV_XPATH_OR,
	PV_XPATH_AND,
	PV_XPATH_EQUAL,
	PV_XPATH_UNEQUAL,
	PV_XPATH_LESS,
	PV_XPATH_LESS_EQUAL,
	PV_XPATH_GREATER,
	PV_XPATH_GREATER_EQUAL,
	PV_XPATH_ADD,
	PV_XPATH_SUBTRACT,
	PV_XPATH_MULTIPLY,
	PV_XPATH_DIVIDE,
	PV_XPATH_MODULO,
	PV_XPATH_NEGATE,
	PV_XPATH_UNION,
	PV_XPATH_TEXT,
	PV_XPATH_NUMBER,
	PV_XPATH_CALL,   /* of a function; first: its arguments */
	PV_XPATH_FILTER, /* left, and first: its predicates */
	PV_XPATH_PATH,   /* steps from left, the document or the context */
};

enum pv_xpath_axis {
	PV_AXIS_CHILD,
	PV_AXIS_DESCENDANT,
	PV_AXIS_DESCENDANT_OR_SELF,
	PV_AXIS_SELF,
	PV_AXIS_PARENT,
	PV_AXIS_ANCESTOR,
	PV_AXIS_ANCESTOR_OR_SELF,
	PV_AXIS_FOLLOWING_SIBLING,
	PV_AXIS_PRECEDING_SIBLING,
	PV_AXIS_FOLLOWING,
	PV_AXIS_PRECEDING,
	PV_AXIS_ATTRIBUTE,
};

enum pv_xpath_test {
	PV_XPATH_NAMED, /* elements, or attributes, of that name */
	PV_XPATH_ANY,   /* any of them: "*" */
	PV_XPATH_NODES,
	PV_XPATH_TEXTS,
	PV_XPATH_COMMENTS,
	PV_XPATH_INSTRUCTIONS,
};

struct pv_xpath_step {
	enum pv_xpath_axis axis;
	enum pv_xpath_test test;
	struct pv_str name;
	uint32_t name_hash;
	struct pv_xpath_op *predicates; /* the first */
	size_t end;                     /* how far it goes in the text */
	struct pv_xpath_step *next;
};

struct pv_xpath_op {
	enum pv_xpath_kind kind;
	struct pv_xpath_op *left, *right;
	struct pv_xpath_op *first; /* of a list, by `next` */
	struct pv_xpath_op *next;
	struct pv_str text;
	double number;
	const struct pv_xpath_function *function;
	struct pv_xpath_step *steps;
	bool is_absolute;
};

struct pv_xpath {
	struct pv_arena arena;
	struct pv_xpath_op *top;
};

#endif
