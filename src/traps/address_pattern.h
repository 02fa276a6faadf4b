#ifndef PAVANE_TRAPS_ADDRESS_PATTERN_H
#define PAVANE_TRAPS_ADDRESS_PATTERN_H

#include "url/url.h"

/* What addresses that one program answers have in common: the host, the path up
 * to its last slash with each run of digits as one sign, and the names of the
 * query's parameters without their values.
 *
 *   https://example.org/shop/2024/item-7.html?id=5&view=print
 *   example.org/shop/#/?id&view
 *
 * Of the last segment nothing counts. A parameter without a value is its name.
 */

/* Appends the pattern; false if the ceiling is in the way. */
bool pv_address_pattern_write(const struct pv_url *url, struct pv_buf *pattern);

#endif
