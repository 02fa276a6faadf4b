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
    uint64_t key, uint64_t body, uint64_t owner)
{
	slot->key = key;
	slot->body = body;
	slot->owner = owner;
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

void pv_same_body_add(
    struct pv_same_body *table, uint64_t key, uint64_t body, uint64_t owner)
{
	struct pv_same_body_slot *slot = slot_of(table, key);
	bool is_own = slot->count && slot->key == key;
	if (slot->count && !is_own)
		take_one(table, slot);
	if (is_own && slot->body == body)
		count_up(table, slot);
	else if (is_own || !slot->count)
		set(table, slot, key, body, owner);
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

static void set_bounded(
    struct pv_same_body *table, struct pv_same_body_slot *slot, int64_t count)
{
	set_count(
	    table, slot, count < table->most ? (uint32_t)count : table->most);
}

void pv_same_body_restore(struct pv_same_body *table, uint64_t key,
    uint64_t body, uint64_t owner, int64_t count)
{
	struct pv_same_body_slot *slot = slot_of(table, key);
	if (count < 2 || slot->count)
		return;
	slot->key = key;
	slot->body = body;
	slot->owner = owner;
	slot->is_kept = true;
	set_bounded(table, slot, count);
}

void pv_same_body_put(struct pv_same_body *table, uint64_t key, uint64_t body,
    uint64_t owner, int64_t count)
{
	struct pv_same_body_slot *slot = slot_of(table, key);
	if (count < 2 || (slot->count >= count && slot->key != key))
		return;
	slot->key = key;
	slot->body = body;
	slot->owner = owner;
	set_bounded(table, slot, count);
	note_change(table, slot);
}

static bool is_among(uint64_t owner, const uint64_t *owners, size_t count)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (owners[middle] < owner)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && owners[low] == owner;
}

void pv_same_body_forget(
    struct pv_same_body *table, const uint64_t *owners, size_t count)
{
	for (size_t i = 0; i < table->slot_count; i++) {
		struct pv_same_body_slot *slot = &table->slots[i];
		if (!slot->count || !is_among(slot->owner, owners, count))
			continue;
		set_count(table, slot, 0);
		note_change(table, slot);
	}
}
