#ifndef PAVANE_BASE_NAMED_TABLE_H
#define PAVANE_BASE_NAMED_TABLE_H

#include "base/map.h"

/* Things by name, which come and go.
 *
 * A thing holds a struct pv_named, whose name must not change while it is in
 * the table; the table owns neither.
 */
struct pv_named {
	struct pv_str name;
	uint32_t number; /* the table's */
};

struct pv_named_table {
	struct pv_map map;
	struct pv_named **items; /* in no order */
	size_t count;
	size_t size;
};

void pv_named_table_init(struct pv_named_table *table, struct pv_hash_key key);
void pv_named_table_finish(struct pv_named_table *table);

/* NULL if there is none of this name. */
struct pv_named *pv_named_get(
    const struct pv_named_table *table, struct pv_str name);

/* Adds a thing whose name is not in the table. */
void pv_named_add(struct pv_named_table *table, struct pv_named *named);

void pv_named_remove(struct pv_named_table *table, struct pv_named *named);

#endif
