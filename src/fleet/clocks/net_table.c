#include "fleet/clocks/net_table.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"

void pv_net_table_init(struct pv_net_table *table, struct pv_hash_key key)
{
	*table = (struct pv_net_table){.address_count = 0};
	pv_map_init(&table->address_map, key);
	pv_map_init(&table->clock_map, key);
}

static void free_address(struct pv_net_address *address)
{
	free(address->clocks);
	free(address);
}

static void free_clock(struct pv_net_clock *clock)
{
	free(clock->addresses);
	free(clock);
}

void pv_net_table_finish(struct pv_net_table *table)
{
	for (size_t i = 0; i < table->address_count; i++)
		free_address(table->addresses[i]);
	for (size_t i = 0; i < table->clock_count; i++)
		free_clock(table->clocks[i]);
	free(table->addresses);
	free(table->clocks);
	pv_map_finish(&table->address_map);
	pv_map_finish(&table->clock_map);
}

/* Entries */

static struct pv_str keep(char *room, struct pv_str text)
{
	memcpy(room, pv_str_bytes(text), text.len);
	return (struct pv_str){room, text.len};
}

struct pv_net_address *pv_net_table_find(
    const struct pv_net_table *table, struct pv_str name)
{
	const uint32_t *place = pv_map_get(&table->address_map, name);
	return place ? table->addresses[*place] : NULL;
}

struct pv_net_address *pv_net_table_get(
    struct pv_net_table *table, struct pv_str name)
{
	struct pv_net_address *address = pv_net_table_find(table, name);
	if (address)
		return address;
	address = pv_alloc(sizeof(*address) + name.len);
	*address = (struct pv_net_address){.place = table->address_count};
	address->name = keep((char *)(address + 1), name);
	pv_map_add(
	    &table->address_map, address->name, (uint32_t)address->place);
	*PV_ARRAY_PUSH(table->addresses, table->address_count,
	    table->address_size) = address;
	return address;
}

static struct pv_net_clock *find_clock(
    const struct pv_net_table *table, struct pv_str name)
{
	const uint32_t *place = pv_map_get(&table->clock_map, name);
	return place ? table->clocks[*place] : NULL;
}

static struct pv_net_clock *get_clock(
    struct pv_net_table *table, struct pv_str name)
{
	struct pv_net_clock *clock = find_clock(table, name);
	if (clock)
		return clock;
	clock = pv_alloc(sizeof(*clock) + name.len);
	*clock = (struct pv_net_clock){.place = table->clock_count};
	clock->name = keep((char *)(clock + 1), name);
	pv_map_add(&table->clock_map, clock->name, (uint32_t)clock->place);
	*PV_ARRAY_PUSH(table->clocks, table->clock_count, table->clock_size) =
	    clock;
	return clock;
}

/* Who lives where */

static void take_out_address(
    struct pv_net_clock *clock, const struct pv_net_address *address)
{
	for (size_t i = 0; i < clock->address_count; i++) {
		if (clock->addresses[i] == address)
			clock->addresses[i--] =
			    clock->addresses[--clock->address_count];
	}
}

static void take_out_clock(
    struct pv_net_address *address, const struct pv_net_clock *clock)
{
	for (size_t i = 0; i < address->clock_count; i++) {
		if (address->clocks[i] == clock)
			address->clocks[i--] =
			    address->clocks[--address->clock_count];
	}
}

static void empty(struct pv_net_address *address)
{
	for (size_t i = 0; i < address->clock_count; i++)
		take_out_address(address->clocks[i], address);
	address->clock_count = 0;
}

void pv_net_table_join(struct pv_net_table *table,
    struct pv_net_address *address, struct pv_str name)
{
	struct pv_net_clock *clock = get_clock(table, name);
	for (size_t i = 0; i < clock->address_count; i++) {
		if (clock->addresses[i] == address)
			return;
	}
	*PV_ARRAY_PUSH(clock->addresses, clock->address_count,
	    clock->address_size) = address;
	*PV_ARRAY_PUSH(
	    address->clocks, address->clock_count, address->clock_size) = clock;
}

void pv_net_table_bind(
    struct pv_net_table *table, struct pv_str name, int64_t now)
{
	struct pv_net_clock *clock = get_clock(table, name);
	clock->is_bound = true;
	clock->bound_ms = now;
}

bool pv_net_table_lives_here(
    const struct pv_net_table *table, struct pv_str name)
{
	const struct pv_net_clock *clock = find_clock(table, name);
	return clock && clock->address_count;
}

bool pv_net_table_is_bound(const struct pv_net_table *table, struct pv_str name)
{
	const struct pv_net_clock *clock = find_clock(table, name);
	return clock && (clock->is_bound || clock->address_count);
}

void pv_net_table_lose(
    struct pv_net_address *address, int64_t worker, int64_t now)
{
	empty(address);
	address->owner = PV_NET_OTHERS;
	address->worker = worker;
	address->heard_ms = now;
	address->sent_until = 0;
}

void pv_net_table_send(
    struct pv_net_address *address, int64_t worker, int64_t now, int64_t until)
{
	pv_net_table_lose(address, worker, 0);
	address->sent_ms = now;
	address->sent_until = until;
	address->is_to_be_asked = address->is_wanted = false;
}

bool pv_net_table_follows(const struct pv_net_table *table,
    const struct pv_net_address *address, struct pv_str name, int64_t now)
{
	const struct pv_net_clock *clock = find_clock(table, name);
	bool came_since =
	    clock && clock->is_bound && clock->bound_ms >= address->sent_ms;
	return now < address->sent_until && !came_since;
}

void pv_net_table_doubt(struct pv_net_table *table, struct pv_str name)
{
	struct pv_net_address *address = pv_net_table_find(table, name);
	if (address)
		address->owner = PV_NET_NOBODY;
}

void pv_net_table_remove_clock(struct pv_net_table *table, struct pv_str name)
{
	struct pv_net_clock *clock = find_clock(table, name);
	if (!clock)
		return;
	for (size_t i = 0; i < clock->address_count; i++)
		take_out_clock(clock->addresses[i], clock);
	pv_map_remove(&table->clock_map, clock->name);
	struct pv_net_clock *last = table->clocks[--table->clock_count];
	if (last != clock) {
		last->place = clock->place;
		table->clocks[last->place] = last;
		*pv_map_get(&table->clock_map, last->name) =
		    (uint32_t)last->place;
	}
	free_clock(clock);
}

void pv_net_table_remove_address(struct pv_net_table *table, struct pv_str name)
{
	struct pv_net_address *address = pv_net_table_find(table, name);
	if (!address)
		return;
	empty(address);
	pv_map_remove(&table->address_map, address->name);
	struct pv_net_address *last = table->addresses[--table->address_count];
	if (last != address) {
		last->place = address->place;
		table->addresses[last->place] = last;
		*pv_map_get(&table->address_map, last->name) =
		    (uint32_t)last->place;
	}
	free_address(address);
}

/* Groups */

static void add_clock(struct pv_net_group *group, struct pv_net_clock *clock)
{
	if (clock->is_in_group)
		return;
	clock->is_in_group = true;
	*PV_ARRAY_PUSH(group->clocks, group->clock_count, group->clock_size) =
	    clock;
}

static void add_address(
    struct pv_net_group *group, struct pv_net_address *address)
{
	if (address->is_in_group)
		return;
	address->is_in_group = true;
	*PV_ARRAY_PUSH(group->addresses, group->address_count,
	    group->address_size) = address;
}

/* Each that is added brings its own, until nothing is new. */
static void gather(struct pv_net_group *group)
{
	size_t clocks = 0, addresses = 0;
	while (
	    clocks < group->clock_count || addresses < group->address_count) {
		for (; clocks < group->clock_count; clocks++) {
			struct pv_net_clock *clock = group->clocks[clocks];
			for (size_t i = 0; i < clock->address_count; i++)
				add_address(group, clock->addresses[i]);
		}
		for (; addresses < group->address_count; addresses++) {
			struct pv_net_address *address =
			    group->addresses[addresses];
			for (size_t i = 0; i < address->clock_count; i++)
				add_clock(group, address->clocks[i]);
		}
	}
	for (size_t i = 0; i < group->clock_count; i++)
		group->clocks[i]->is_in_group = false;
	for (size_t i = 0; i < group->address_count; i++)
		group->addresses[i]->is_in_group = false;
}

void pv_net_group_of_clock(const struct pv_net_table *table, struct pv_str name,
    struct pv_net_group *group)
{
	struct pv_net_clock *clock = find_clock(table, name);
	*group = (struct pv_net_group){.clock_count = 0};
	if (clock)
		add_clock(group, clock);
	gather(group);
}

void pv_net_group_of_address(
    struct pv_net_address *address, struct pv_net_group *group)
{
	*group = (struct pv_net_group){.clock_count = 0};
	add_address(group, address);
	gather(group);
}

void pv_net_group_finish(struct pv_net_group *group)
{
	free(group->addresses);
	free(group->clocks);
}
