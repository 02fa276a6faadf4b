#include <stdint.h>
#include <stdlib.h>

#include "fleet/line/field.h"
#include "fleet/line/value.h"

/* Reads a field that a database server sent: its first byte chooses the type.
 *
 * What must hold: what is given lies within the field; an array gives no more
 * items than it has bytes for; and its items, written again, are read as the same
 * array.
 */

#define ITEMS_MAX 1000
#define ENCODED_MAX 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_within(struct pv_str inner, struct pv_str outer)
{
	require(inner.len <= outer.len);
	require(
	    !inner.len || (inner.ptr >= outer.ptr &&
			      inner.ptr + inner.len <= outer.ptr + outer.len));
}

static void check_scalars(struct pv_fleet_field field)
{
	struct pv_str text;
	int64_t number;
	bool flag;
	if (pv_fleet_field_number(field, &number))
		require(!pv_fleet_field_text(field, &text));
	if (pv_fleet_field_text(field, &text))
		check_within(text, field.bytes);
	if (pv_fleet_field_bool(field, &flag))
		require(field.bytes.len == 1);
}

/* The texts of an array as an array of texts. */
static void check_again(
    enum pv_fleet_type type, const struct pv_str *texts, size_t count)
{
	struct pv_buf buf;
	struct pv_fleet_array array;
	struct pv_fleet_field item;
	struct pv_fleet_value value = pv_fleet_texts(type, texts, count);
	pv_buf_init(&buf, ENCODED_MAX);
	if (pv_fleet_value_encode(&value, &buf)) {
		require(pv_fleet_field_array(
		    (struct pv_fleet_field){
			pv_fleet_type_oid(type), false, pv_buf_str(&buf)},
		    &array));
		for (size_t i = 0; i < count; i++)
			require(pv_fleet_array_next(&array, &item) &&
				pv_str_equal(item.bytes, texts[i]));
		require(!pv_fleet_array_next(&array, &item));
	}
	pv_buf_finish(&buf);
}

static void check_array(enum pv_fleet_type type, struct pv_fleet_field field)
{
	static struct pv_str texts[ITEMS_MAX];
	struct pv_fleet_array array;
	struct pv_fleet_field item;
	size_t count = 0;
	if (!pv_fleet_field_array(field, &array))
		return;
	while (pv_fleet_array_next(&array, &item)) {
		check_within(item.bytes, field.bytes);
		check_scalars(item);
		require(++count <= field.bytes.len / 4);
		if (count <= ITEMS_MAX)
			texts[count - 1] = item.bytes;
	}
	if (type >= PV_FLEET_TEXTS && count <= ITEMS_MAX)
		check_again(type, texts, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	enum pv_fleet_type type = data[0] % PV_FLEET_TYPES_COUNT;
	struct pv_fleet_field field = {
	    .oid = pv_fleet_type_oid(type),
	    .bytes = {(const char *)data + 1, size - 1},
	};
	check_scalars(field);
	check_array(type, field);
	return 0;
}
