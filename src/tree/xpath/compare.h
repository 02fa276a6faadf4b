#ifndef PAVANE_TREE_XPATH_COMPARE_H
#define PAVANE_TREE_XPATH_COMPARE_H

#include "tree/xpath/ops.h"
#include "tree/xpath/value.h"

/* Comparisons (XPath, 3.4): nodes compare if any of them does. Where the budget
 * is spent the answer means nothing. */
bool pv_xpath_compare(enum pv_xpath_kind kind,
    const struct pv_xpath_value *left, const struct pv_xpath_value *right,
    struct pv_tree_budget *budget);

#endif
