#ifndef PAVANE_FIELDS_WHITE_SPACE_H
#define PAVANE_FIELDS_WHITE_SPACE_H

#include "base/buf.h"

/* White space in values: all that Unicode calls so, the no-break space and the
 * thin ones included, as `" ".join(text.split())` has it in Python. Who sees a
 * page sees no difference, and nobody wants "12\u00a0EUR" to differ from
 * "12 EUR". A zero-width space is none.
 */

/* Appends the text, which is UTF-8, with one space for each run of white space,
 * and none at its ends; false if the ceiling is in the way. */
bool pv_white_space_collapse(struct pv_str text, struct pv_buf *buf);

#endif
