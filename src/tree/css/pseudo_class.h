#ifndef PAVANE_TREE_CSS_PSEUDO_CLASS_H
#define PAVANE_TREE_CSS_PSEUDO_CLASS_H

#include "tree/css/parsing.h"

/* Behind ":", which stands at `offset`, and a name in lower case, other than
 * "not": parses :first-child, :nth-child(2n+1) and the like. False, with the
 * fault told, if it is none that we know. */
bool pv_css_parse_pseudo_class(struct pv_css_parsing *parsing,
    struct pv_css_compound *compound, size_t offset, struct pv_str name);

/* Tells what to write instead of the pseudo-element at `offset`. */
void pv_css_tell_pseudo_element(
    struct pv_css_parsing *parsing, size_t offset, struct pv_str name);

#endif
