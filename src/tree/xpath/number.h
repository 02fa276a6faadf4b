#ifndef PAVANE_TREE_XPATH_NUMBER_H
#define PAVANE_TREE_XPATH_NUMBER_H

#include "base/buf.h"

/* Numbers as XPath writes them (4.2, 4.4), in any locale. */

/* NaN if the text, without white space around it, is none. */
double pv_xpath_number_of(struct pv_str text);

/* Without an exponent: -12, 0.5, NaN, Infinity. */
void pv_xpath_number_append(struct pv_buf *buf, double number);

#endif
