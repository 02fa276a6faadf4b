#include "policy/values/resolve_table.h"

/* Both texts of a pair were right when the policy was read. */
static void add(
    struct pv_resolve_table *table, const struct pv_pair *pair, uint32_t number)
{
	struct pv_host_pattern pattern;
	struct pv_buf canonical;
	pv_buf_init(&canonical, 512);
	if (!pv_host_pattern_read(
		pv_str_of(pair->name), &pattern, &canonical) &&
	    pv_socket_read(pv_str_of(pair->text), &table->sockets[number]))
		pv_host_index_add(
		    &table->index, &table->arena, &pattern, &number);
	pv_buf_finish(&canonical);
}

void pv_resolve_table_init(
    struct pv_resolve_table *table, const struct pv_pairs *resolve)
{
	*table = (struct pv_resolve_table){0};
	pv_host_index_init(&table->index);
	pv_arena_init(&table->arena);
	table->sockets = pv_arena_give_array(
	    &table->arena, resolve->count, sizeof(*table->sockets));
	for (uint32_t i = 0; i < resolve->count; i++)
		add(table, &resolve->items[i], i);
}

void pv_resolve_table_finish(struct pv_resolve_table *table)
{
	pv_host_index_finish(&table->index);
	pv_arena_finish(&table->arena);
}

const struct pv_socket *pv_resolve_table_get(
    const struct pv_resolve_table *table, struct pv_str host,
    const struct pv_address *address)
{
	uint32_t numbers[PV_HOST_MATCHES_MAX];
	if (!pv_host_index_find(&table->index, host, address, numbers))
		return NULL;
	return &table->sockets[numbers[0]];
}
