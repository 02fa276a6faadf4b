#ifndef PAVANE_TREE_COMPILED_H
#define PAVANE_TREE_COMPILED_H

#include "tree/css/selector.h"
#include "tree/expression.h"
#include "tree/xpath/ops.h"

/* What an expression is made of, for expression.c and nearest.c. */
struct pv_expression {
	char *text;
	size_t len;
	struct pv_selector *selector; /* NULL: an XPath */
	struct pv_xpath *xpath;
};

#endif
