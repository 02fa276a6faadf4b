#ifndef PAVANE_POLICY_PAGES_FIELD_H
#define PAVANE_POLICY_PAGES_FIELD_H

#include "policy/document/reading.h"
#include "policy/pages.h"

/* Fields of a kind of page: a CSS selector, or a mapping that says where the
 * value is to be found and what it is to become. A field with `each` has
 * records within the record, whose fields are no deeper. */

/* What holds fields: a kind of page, or a field with records. */
struct pv_field_list {
	struct pv_field *items;
	size_t count;
};

/* Reads a mapping of names to fields; false where a problem was told. Release
 * it in any case. */
bool pv_fields_read(struct pv_reading *reading, const struct pv_node *node,
    struct pv_field_list *fields);
void pv_fields_finish(struct pv_field *fields, size_t count);

#endif
