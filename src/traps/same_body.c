#include "traps/same_body.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"

void pv_same_body_init(struct pv_same_body *table, uint32_t most)
{
	*table = (struct pv_same_body){
	    .places =
		pv_alloc_array(PV_SAME_BODY_SLOTS, sizeof(*table->places)),
	    .most = most,
	};
}

void pv_same_body_finish(struct pv_same_body *table)
{
	free(table->places);
	free(table->slots);
	free(table->changed);
}

static uint32_t number_of(uint64_t key)
{
	return (uint32_t)(key % PV_SAME_BODY_SLOTS);
}

/* Until the next is asked for. */
static struct pv_same_body_slot *slot_of(
    struct pv_same_body *table, uint64_t key)
{
	uint32_t *place = &table->places[number_of(key)];
	if (!*place) {
		*PV_ARRAY_PUSH(table->slots, table->slot_count,
		    table->slot_size) = (struct pv_same_body_slot){.count = 0};
		*place = (uint32_t)table->slot_count;
	}
	return &table->slots[*place - 1];
}

static void note_change(
    struct pv_same_body *table, struct pv_same_body_slot *slot)
{
	bool is_worth_it = slot->count > 1 || slot->is_kept;
	if (!is_worth_it || slot->is_changed)
		return;
	slot->is_changed = true;
	*PV_ARRAY_PUSH(table->changed, table->changed_count,
	    table->changed_size) = number_of(slot->key);
}

static void set_count(
    struct pv_same_body *table, struct pv_same_body_slot *slot, uint32_t count)
{
	table->at_most -= slot->count == table->most;
	table->at_most += count == table->most;
	slot->count = count;
}

/* That a slot has lost one is not worth a row, but that it says no more is. */
static void take_one(struct pv_same_body *table, struct pv_same_body_slot *slot)
{
	set_count(table, slot, slot->count - 1);
	if (slot->count < 2)
		note_change(table, slot);
}

static void set(struct pv_same_body *table, struct pv_same_body_slot *slot,
    uint64_t key, uint64_t body)
{
	slot->key = key;
	slot->body = body;
	set_count(table, slot, 1);
	note_change(table, slot);
}

static void count_up(struct pv_same_body *table, struct pv_same_body_slot *slot)
{
	if (slot->count == table->most)
		return;
	set_count(table, slot, slot->count + 1);
	note_change(table, slot);
}

void pv_same_body_add(struct pv_same_body *table, uint64_t key, uint64_t body)
{
	struct pv_same_body_slot *slot = slot_of(table, key);
	bool is_own = slot->count && slot->key == key;
	if (slot->count && !is_own)
		take_one(table, slot);
	if (is_own && slot->body == body)
		count_up(table, slot);
	else if (is_own || !slot->count)
		set(table, slot, key, body);
}

uint32_t pv_same_body_get(const struct pv_same_body *table, uint64_t key)
{
	uint32_t place = table->places[number_of(key)];
	if (!place || table->slots[place - 1].key != key)
		return 0;
	return table->slots[place - 1].count;
}

bool pv_same_body_take_changed(struct pv_same_body *table,
    struct pv_same_body_slot *slot, uint32_t *number)
{
	if (!table->changed_count)
		return false;
	*number = table->changed[--table->changed_count];
	struct pv_same_body_slot *changed =
	    &table->slots[table->places[*number] - 1];
	changed->is_changed = false;
	changed->is_kept = changed->count > 1;
	*slot = *changed;
	return true;
}

void pv_same_body_restore(
    struct pv_same_body *table, uint64_t key, uint64_t body, int64_t count)
{
	struct pv_same_body_slot *slot = slot_of(table, key);
	if (count < 2 || slot->count)
		return;
	slot->key = key;
	slot->body = body;
	slot->is_kept = true;
	set_count(
	    table, slot, count < table->most ? (uint32_t)count : table->most);
}
