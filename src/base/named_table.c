#include "base/named_table.h"

#include <stdlib.h>

#include "base/array.h"

void pv_named_table_init(struct pv_named_table *table, struct pv_hash_key key)
{
	*table = (struct pv_named_table){0};
	pv_map_init(&table->map, key);
}

void pv_named_table_finish(struct pv_named_table *table)
{
	pv_map_finish(&table->map);
	free(table->items);
	table->items = NULL;
	table->count = table->size = 0;
}

struct pv_named *pv_named_get(
    const struct pv_named_table *table, struct pv_str name)
{
	const uint32_t *number = pv_map_get(&table->map, name);
	return number ? table->items[*number] : NULL;
}

void pv_named_add(struct pv_named_table *table, struct pv_named *named)
{
	named->number = (uint32_t)table->count;
	*PV_ARRAY_PUSH(table->items, table->count, table->size) = named;
	pv_map_add(&table->map, named->name, named->number);
}

/* The last one takes its place. */
void pv_named_remove(struct pv_named_table *table, struct pv_named *named)
{
	struct pv_named *last = table->items[--table->count];
	table->items[named->number] = last;
	*pv_map_get(&table->map, last->name) = named->number;
	last->number = named->number;
	pv_map_remove(&table->map, named->name);
}
