#ifndef PAVANE_POLICY_PAGES_NODE_TEXT_H
#define PAVANE_POLICY_PAGES_NODE_TEXT_H

#include "policy/document/reading.h"

/* What stood in a policy, kept and written again as it was meant: for an
 * effective policy, which a crawl goes on with. */

/* A copy of a node and all below it that lives as long as the policy; each says
 * where it came from. */
const struct pv_node *pv_node_copy(
    const struct pv_reading *reading, const struct pv_node *node);

/* Appends the value on one line, as YAML that is read as the same. */
void pv_node_write(const struct pv_node *node, struct pv_buf *buf);

/* Appends the member of a mapping: its key, and on the same line the value and
 * where it came from. What has members or items that `is_long` takes one to a
 * line stands below its key. */
void pv_node_write_member(
    const struct pv_node *node, bool is_long, int indent, struct pv_buf *buf);

#endif
