#ifndef PAVANE_TREE_XPATH_PARSER_H
#define PAVANE_TREE_XPATH_PARSER_H

#include "tree/nodes/fault.h"
#include "tree/xpath/ops.h"

/* Compiles an expression of XPath 1.0. It has no variables, and names have no
 * namespaces: a prefix is part of a name, as it is in HTML. NULL, with the
 * fault told, if it is not one. */
struct pv_xpath *pv_xpath_create(
    struct pv_str text, struct pv_expression_fault *fault);
void pv_xpath_destroy(struct pv_xpath *xpath);

#endif
