#ifndef PAVANE_TREE_CSS_ATTRIBUTE_PARSER_H
#define PAVANE_TREE_CSS_ATTRIBUTE_PARSER_H

#include "tree/css/parsing.h"

/* Behind "[": parses [name], [name=value] and the like, to the "]". False, with
 * the fault told, if it is none. */
bool pv_css_parse_attribute(
    struct pv_css_parsing *parsing, struct pv_css_compound *compound);

#endif
