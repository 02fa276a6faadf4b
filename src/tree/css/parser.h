#ifndef PAVANE_TREE_CSS_PARSER_H
#define PAVANE_TREE_CSS_PARSER_H

#include "tree/css/selector.h"
#include "tree/nodes/fault.h"

/* Compiles a list of CSS selectors (Selectors 3, without namespaces and what
 * depends on a person before a screen; ::text and ::attr(name) are ours, as
 * others have them). NULL, with the fault told, if it is not one. */
struct pv_selector *pv_selector_create(
    struct pv_str text, struct pv_expression_fault *fault);
void pv_selector_destroy(struct pv_selector *selector);

#endif
