#include "fleet/line/field.h"

#include "fleet/line/value.h"

/* From PostgreSQL's catalogue of types: texts that are not of type text. */
#define NAME_OID 19
#define VARCHAR_OID 1043

/* A number of so many bytes, the highest one first; what is missing at the end
 * is 0, so the caller has looked at how many are left. */
static uint64_t take_number(struct pv_reader *reader, size_t size)
{
	uint64_t number = 0;
	for (size_t i = 0; i < size; i++)
		number = number << 8 | (unsigned)(pv_reader_is_end(reader)
						      ? 0
						      : pv_reader_next(reader));
	return number;
}

static bool is_of(struct pv_fleet_field field, enum pv_fleet_type type)
{
	return !field.is_null && field.oid == pv_fleet_type_oid(type);
}

bool pv_fleet_field_bool(struct pv_fleet_field field, bool *flag)
{
	if (!is_of(field, PV_FLEET_BOOL) || field.bytes.len != 1)
		return false;
	*flag = field.bytes.ptr[0] != 0;
	return true;
}

bool pv_fleet_field_number(struct pv_fleet_field field, int64_t *number)
{
	struct pv_reader reader = pv_reader_of(field.bytes);
	uint64_t bits = take_number(&reader, field.bytes.len);
	if (is_of(field, PV_FLEET_INT8) && field.bytes.len == 8)
		*number = (int64_t)bits;
	else if (is_of(field, PV_FLEET_INT4) && field.bytes.len == 4)
		*number = (int32_t)bits;
	else if (is_of(field, PV_FLEET_INT2) && field.bytes.len == 2)
		*number = (int16_t)bits;
	else
		return false;
	return true;
}

bool pv_fleet_field_text(struct pv_fleet_field field, struct pv_str *text)
{
	bool is_text = is_of(field, PV_FLEET_TEXT) ||
		       is_of(field, PV_FLEET_BYTEA) || field.oid == NAME_OID ||
		       field.oid == VARCHAR_OID;
	if (field.is_null || !is_text)
		return false;
	*text = field.bytes;
	return true;
}

/* The type of what such an array is made of; 0 if it is none that we know. */
static uint32_t item_oid(uint32_t array)
{
	for (int i = 0; PV_FLEET_BOOLS + i < PV_FLEET_TYPES_COUNT; i++) {
		if (array == pv_fleet_type_oid(PV_FLEET_BOOLS + i))
			return pv_fleet_type_oid(PV_FLEET_BOOL + i);
	}
	return 0;
}

/* The head of an array is described where it is written (value.c). */
bool pv_fleet_field_array(
    struct pv_fleet_field field, struct pv_fleet_array *array)
{
	struct pv_reader reader = pv_reader_of(field.bytes);
	uint32_t oid = item_oid(field.oid);
	if (field.is_null || !oid || field.bytes.len < 12)
		return false;
	uint64_t dimensions = take_number(&reader, 4);
	take_number(&reader, 4);
	if (take_number(&reader, 4) != oid || dimensions > 1)
		return false;
	struct pv_fleet_array found = {.oid = oid};
	if (dimensions == 1) {
		if (pv_reader_left(&reader) < 8)
			return false;
		found.count = (uint32_t)take_number(&reader, 4);
		take_number(&reader, 4);
	}
	if (found.count > INT32_MAX)
		return false;
	found.reader = reader;
	*array = found;
	return true;
}

bool pv_fleet_array_next(
    struct pv_fleet_array *array, struct pv_fleet_field *item)
{
	if (!array->count || pv_reader_left(&array->reader) < 4)
		return false;
	struct pv_reader reader = array->reader;
	uint32_t len = (uint32_t)take_number(&reader, 4);
	bool is_null = len == UINT32_MAX;
	if (!is_null && len > pv_reader_left(&reader))
		return false;
	*item = (struct pv_fleet_field){.oid = array->oid, .is_null = is_null};
	if (!is_null)
		item->bytes = pv_reader_take(&reader, len);
	array->reader = reader;
	array->count--;
	return true;
}
