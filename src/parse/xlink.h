#ifndef PAVANE_PARSE_XLINK_H
#define PAVANE_PARSE_XLINK_H

#include <stdbool.h>

#include "base/str.h"

/* What the links of a drawing are called: "xlink:href", or in XML whatever stands
 * for xlink there ("xmlns:l='http://www.w3.org/1999/xlink'", and "l:href"). Who
 * says so last is believed, wherever it is: documents say it once, at their
 * root, or in each tag that has such links.
 */
struct pv_attribute {
	struct pv_str name;
	struct pv_str value; /* without its quotes, references unread */
};

/* Whether it says what stands for xlink, */
bool pv_xlink_is_declared(const struct pv_attribute *attribute);

/* what that is, */
struct pv_str pv_xlink_prefix(const struct pv_attribute *attribute);

/* and whether a name is that of a link then. An empty prefix has none. */
bool pv_xlink_is_href(struct pv_str name, struct pv_str prefix);

#endif
