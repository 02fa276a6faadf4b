#include "fleet/line/value.h"

#include <assert.h>

/* Of the items of an array, and of the array. */
struct type {
	uint32_t oid;
	enum pv_fleet_type item; /* PV_FLEET_NOTHING: it is no array */
	uint32_t size;           /* in bytes; 0: as many as there are */
};

/* From PostgreSQL's catalogue of types, where these numbers are fixed. */
static const struct type types[PV_FLEET_TYPES_COUNT] = {
    [PV_FLEET_BOOL] = {16, .size = 1},
    [PV_FLEET_INT2] = {21, .size = 2},
    [PV_FLEET_INT4] = {23, .size = 4},
    [PV_FLEET_INT8] = {20, .size = 8},
    [PV_FLEET_TEXT] = {25},
    [PV_FLEET_BYTEA] = {17},
    [PV_FLEET_BOOLS] = {1000, .item = PV_FLEET_BOOL},
    [PV_FLEET_INT2S] = {1005, .item = PV_FLEET_INT2},
    [PV_FLEET_INT4S] = {1007, .item = PV_FLEET_INT4},
    [PV_FLEET_INT8S] = {1016, .item = PV_FLEET_INT8},
    [PV_FLEET_TEXTS] = {1009, .item = PV_FLEET_TEXT},
    [PV_FLEET_BYTEAS] = {1001, .item = PV_FLEET_BYTEA},
};

uint32_t pv_fleet_type_oid(enum pv_fleet_type type)
{
	return types[type].oid;
}

/* The highest byte first, as all numbers of the protocol. */
static bool append_number(struct pv_buf *buf, uint64_t number, uint32_t size)
{
	char bytes[8];
	for (uint32_t i = 0; i < size; i++)
		bytes[i] = (char)(number >> (8 * (size - 1 - i)));
	return pv_buf_append(buf, (struct pv_str){bytes, size});
}

static bool fits(int64_t number, uint32_t size)
{
	int64_t limit = size < 8 ? INT64_C(1) << (8 * size - 1) : 0;
	return !limit || (number >= -limit && number < limit);
}

static bool append_signed(struct pv_buf *buf, int64_t number, uint32_t size)
{
	assert(fits(number, size));
	return append_number(buf, (uint64_t)number, size);
}

/* An item of an array, with its length before it. */
static bool append_item(struct pv_buf *buf, enum pv_fleet_type type,
    const struct pv_fleet_items *items, size_t i)
{
	uint32_t size = types[type].size;
	if (items->nulls && items->nulls[i])
		return append_number(buf, UINT32_MAX, 4);
	switch (type) {
	case PV_FLEET_BOOL:
		return append_number(buf, 1, 4) &&
		       append_number(buf, items->flags[i], 1);
	case PV_FLEET_INT2:
	case PV_FLEET_INT4:
	case PV_FLEET_INT8:
		return append_number(buf, size, 4) &&
		       append_signed(buf, items->numbers[i], size);
	default:
		return items->texts[i].len <= INT32_MAX &&
		       append_number(buf, items->texts[i].len, 4) &&
		       pv_buf_append(buf, items->texts[i]);
	}
}

static bool has_nulls(const struct pv_fleet_items *items)
{
	for (size_t i = 0; items->nulls && i < items->count; i++) {
		if (items->nulls[i])
			return true;
	}
	return false;
}

/* An array's head: the number of its dimensions, whether an item is NULL, the
 * type of the items; for each dimension, of which one without items has none,
 * the number of items, and that of the first one (array_send in PostgreSQL). */
static bool append_array(struct pv_buf *buf, enum pv_fleet_type type,
    const struct pv_fleet_items *items)
{
	bool is_empty = !items->count;
	if (items->count > INT32_MAX || !append_number(buf, !is_empty, 4) ||
	    !append_number(buf, has_nulls(items), 4) ||
	    !append_number(buf, types[type].oid, 4))
		return false;
	if (is_empty)
		return true;
	if (!append_number(buf, items->count, 4) || !append_number(buf, 1, 4))
		return false;
	for (size_t i = 0; i < items->count; i++) {
		if (!append_item(buf, type, items, i))
			return false;
	}
	return true;
}

bool pv_fleet_value_encode(
    const struct pv_fleet_value *value, struct pv_buf *buf)
{
	const struct type *type = &types[value->type];
	assert(!value->is_null && value->type != PV_FLEET_NOTHING);
	if (type->item != PV_FLEET_NOTHING)
		return append_array(buf, type->item, &value->items);
	if (value->type == PV_FLEET_BOOL)
		return append_number(buf, value->flag, 1);
	if (type->size)
		return append_signed(buf, value->number, type->size);
	return pv_buf_append(buf, value->text);
}
