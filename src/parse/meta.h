#ifndef PAVANE_PARSE_META_H
#define PAVANE_PARSE_META_H

#include "parse/links.h"
#include "parse/tag.h"

/* What a meta element says of its page: its encoding, what robots may do with
 * it, what it may be made of. */

/* Notes it; `product` is our name to robots, beside "pavane". */
void pv_meta_read(
    struct pv_links *links, const struct pv_tag *tag, struct pv_str product);

/* Of that no more than what the page may be made of. */
void pv_meta_read_policy(struct pv_links *links, const struct pv_tag *tag);

#endif
