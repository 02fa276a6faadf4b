#ifndef PAVANE_TREE_XPATH_FUNCTIONS_H
#define PAVANE_TREE_XPATH_FUNCTIONS_H

#include "tree/xpath/value.h"

/* The functions of XPath 1.0, without lang(), and has-class('a', 'b') of our
 * own: whether the context has these classes. */

/* What a function is called with. Without an argument many are of the node. */
struct pv_xpath_call {
	struct pv_xpath_value *arguments;
	size_t count;
	struct pv_xpath_ref node;
	size_t position, last; /* of the node, in what it was found with */
	struct pv_tree_budget *budget;
};

typedef void (*pv_xpath_function_fn)(
    struct pv_xpath_call *call, struct pv_xpath_value *result);

#define PV_XPATH_ARGUMENTS_MAX 16

struct pv_xpath_function {
	struct pv_str name;
	size_t fewest, most;
	enum pv_xpath_sort result;
	bool wants_nodes; /* its arguments are to be nodes */
	pv_xpath_function_fn call;
};

/* NULL if there is none of that name. */
const struct pv_xpath_function *pv_xpath_function_find(struct pv_str name);

#endif
