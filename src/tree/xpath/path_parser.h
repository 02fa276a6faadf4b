#ifndef PAVANE_TREE_XPATH_PATH_PARSER_H
#define PAVANE_TREE_XPATH_PATH_PARSER_H

#include "tree/xpath/parsing.h"

/* Parses a location path (XPath, 2), from the context or the document. */
struct pv_xpath_op *pv_xpath_parse_path(struct pv_xpath_parsing *parsing);

/* The same behind an expression whose nodes it begins at: what follows "/" or
 * "//", if one is next; else it is the expression alone. */
struct pv_xpath_op *pv_xpath_parse_path_of(
    struct pv_xpath_parsing *parsing, struct pv_xpath_op *left);

#endif
