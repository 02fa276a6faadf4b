#include "policy/values/resolve_table.h"

#include "base/reader.h"

/* The port behind the last colon, which is taken off the text; 0 if there is
 * none. */
static uint16_t take_port(struct pv_str *text)
{
	uint64_t port;
	size_t colon = pv_str_find_last(*text, ':');
	if (colon == PV_NOT_FOUND)
		return 0;
	struct pv_reader reader = pv_reader_of(pv_str_from(*text, colon + 1));
	if (!pv_reader_take_number(&reader, 65535, &port) || !port ||
	    !pv_reader_is_end(&reader))
		return 0;
	*text = pv_str_head(*text, colon);
	return (uint16_t)port;
}

bool pv_socket_read(struct pv_str text, struct pv_socket *socket)
{
	struct pv_socket read = {.port = 0};
	if (pv_address_read(text, &read.address)) {
		*socket = read;
		return true;
	}
	read.port = take_port(&text);
	bool is_v6 = pv_str_starts(text, PV_STR("[")) &&
		     pv_str_ends(text, PV_STR("]")) && text.len > 2;
	if (is_v6)
		text = (struct pv_str){text.ptr + 1, text.len - 2};
	if (!pv_address_read(text, &read.address) ||
	    (read.address.bits == 128) != is_v6)
		return false;
	*socket = read;
	return true;
}

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
