#ifndef PAVANE_BASE_JSON_JSON_LD_H
#define PAVANE_BASE_JSON_JSON_LD_H

#include "base/json/json_page.h"

/* Nodes of JSON-LD, as pages describe what they are about in scripts of the type
 * application/ld+json.
 *
 * No context is read: of names in other words than schema.org's we know only
 * how they are written.
 */

/* Adds each node of a block, in its order: the block itself, the items of one
 * that is a list, and what stands in the `@graph` of either; only objects.
 * `type` is one of the node's `@type`, which may be a list;
 * "http://schema.org/" and "https://schema.org/" in front of it are left out on
 * both sides. An empty type is any. */
void pv_json_ld_find(
    const struct pv_json *block, struct pv_str type, struct pv_json_list *list);

#endif
