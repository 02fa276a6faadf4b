#ifndef PAVANE_POLICY_PAGES_EACH_H
#define PAVANE_POLICY_PAGES_EACH_H

#include "policy/document/reading.h"
#include "policy/pages.h"

/* `each`: which elements, or values of JSON, are a row or a record each. It is
 * a CSS selector, or a mapping that is a source. False where a problem was
 * told; release the source in any case. */
bool pv_each_read(struct pv_reading *reading, const struct pv_node *node,
    struct pv_source *each);

#endif
