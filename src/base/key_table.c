#include "base/key_table.h"

#include <stdlib.h>

#include "base/alloc.h"

#define FIRST_SIZE 16

void pv_key_table_init(
    struct pv_key_table *table, size_t ceiling, bool has_numbers)
{
	*table = (struct pv_key_table){
	    .ceiling = ceiling, .has_numbers = has_numbers};
}

void pv_key_table_finish(struct pv_key_table *table)
{
	free(table->keys);
	free(table->numbers);
	*table = (struct pv_key_table){.ceiling = 0};
}

/* An empty place reads 0, so that the key 0 is another one. */
static uint64_t as_kept(uint64_t key)
{
	return key ? key : 1;
}

/* Where the key is, or would be. The table has a place that is empty. */
static size_t place_of(const struct pv_key_table *table, uint64_t key)
{
	size_t place = (size_t)key & (table->size - 1);
	while (table->keys[place] && table->keys[place] != key)
		place = (place + 1) & (table->size - 1);
	return place;
}

static void move_all(
    struct pv_key_table *table, const struct pv_key_table *from)
{
	for (size_t i = 0; i < from->size; i++) {
		if (!from->keys[i])
			continue;
		size_t place = place_of(table, from->keys[i]);
		table->keys[place] = from->keys[i];
		if (table->has_numbers)
			table->numbers[place] = from->numbers[i];
	}
}

/* A quarter of the places stays empty, so that ways are short. */
static void make_room(struct pv_key_table *table)
{
	struct pv_key_table before = *table;
	if (table->count < table->size / 4 * 3)
		return;
	table->size = table->size ? table->size * 2 : FIRST_SIZE;
	table->keys = pv_alloc_array(table->size, sizeof(*table->keys));
	if (table->has_numbers)
		table->numbers =
		    pv_alloc_array(table->size, sizeof(*table->numbers));
	move_all(table, &before);
	free(before.keys);
	free(before.numbers);
}

bool pv_key_table_has(const struct pv_key_table *table, uint64_t key)
{
	return table->size && table->keys[place_of(table, as_kept(key))];
}

uint32_t pv_key_table_get(const struct pv_key_table *table, uint64_t key)
{
	size_t place = table->size ? place_of(table, as_kept(key)) : 0;
	return table->size && table->keys[place] ? table->numbers[place] : 0;
}

bool pv_key_table_add(struct pv_key_table *table, uint64_t key)
{
	if (pv_key_table_has(table, key))
		return true;
	if (!pv_key_table_has_room(table))
		return false;
	make_room(table);
	table->keys[place_of(table, as_kept(key))] = as_kept(key);
	table->count++;
	return true;
}

bool pv_key_table_count(struct pv_key_table *table, uint64_t key)
{
	if (!pv_key_table_add(table, key))
		return false;
	uint32_t *number = &table->numbers[place_of(table, as_kept(key))];
	*number += *number < UINT32_MAX;
	return true;
}
