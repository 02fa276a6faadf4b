#include "fleet/line/value.h"

#include "fleet/line/field.h"
#include "tap.h"

static struct pv_buf encoded;

static struct pv_fleet_field encode(struct pv_fleet_value value)
{
	pv_buf_clear(&encoded);
	bool is_written = pv_fleet_value_encode(&value, &encoded);
	return (struct pv_fleet_field){
	    .oid = pv_fleet_type_oid(value.type),
	    .is_null = !is_written,
	    .bytes = pv_buf_str(&encoded),
	};
}

static bool is_bytes(struct pv_fleet_field field, const char *bytes, size_t len)
{
	return !field.is_null &&
	       pv_str_equal(field.bytes, (struct pv_str){bytes, len});
}

#define IS(field, bytes) is_bytes(field, bytes, sizeof(bytes) - 1)

static void encode_scalars(void)
{
	ok(IS(encode(pv_fleet_bool(true)), "\1"), "true is a byte");
	ok(IS(encode(pv_fleet_number(PV_FLEET_INT2, -2)), "\xff\xfe"),
	    "an int2 has two bytes, the highest first");
	ok(IS(encode(pv_fleet_number(PV_FLEET_INT4, 258)), "\0\0\1\2"),
	    "an int4 has four");
	ok(IS(encode(pv_fleet_number(PV_FLEET_INT8, INT64_MIN)),
	       "\x80\0\0\0\0\0\0\0"),
	    "an int8 has eight");
	ok(IS(encode(pv_fleet_text(PV_STR("gr\xc3\xbc\xc3\x9f"))),
	       "gr\xc3\xbc\xc3\x9f"),
	    "a text stands as it is");
	ok(IS(encode(pv_fleet_bytes(PV_STR("a\0b"))), "a\0b"),
	    "bytes may hold a NUL");
	ok(IS(encode(pv_fleet_text(PV_STR(""))), ""),
	    "an empty text is empty, not NULL");
}

static void encode_arrays(void)
{
	static const int64_t numbers[] = {1, -1};
	static const bool nulls[] = {false, true};
	ok(IS(encode(pv_fleet_numbers(PV_FLEET_INT4S, numbers, 2)),
	       "\0\0\0\1"
	       "\0\0\0\0"
	       "\0\0\0\x17"
	       "\0\0\0\2"
	       "\0\0\0\1"
	       "\0\0\0\4"
	       "\0\0\0\1"
	       "\0\0\0\4"
	       "\xff\xff\xff\xff"),
	    "an array has a head, and each item its length");
	ok(IS(encode(pv_fleet_numbers(PV_FLEET_INT8S, numbers, 0)),
	       "\0\0\0\0"
	       "\0\0\0\0"
	       "\0\0\0\x14"),
	    "an empty one has no dimension");
	struct pv_fleet_value value =
	    pv_fleet_numbers(PV_FLEET_INT2S, numbers, 2);
	value.items.nulls = nulls;
	ok(IS(encode(value), "\0\0\0\1"
			     "\0\0\0\1"
			     "\0\0\0\x15"
			     "\0\0\0\2"
			     "\0\0\0\1"
			     "\0\0\0\2"
			     "\0\1"
			     "\xff\xff\xff\xff"),
	    "an item that is NULL has the length -1, and the head says so");
}

static void refuse_what_is_too_large(void)
{
	struct pv_buf small;
	static const int64_t numbers[] = {1, 2, 3};
	pv_buf_init(&small, 24);
	struct pv_fleet_value value =
	    pv_fleet_numbers(PV_FLEET_INT8S, numbers, 3);
	ok(!pv_fleet_value_encode(&value, &small),
	    "what goes past the ceiling of the buffer is refused");
	pv_buf_finish(&small);
}

/* Writes an array and reads it again. */
static void read_texts_again(enum pv_fleet_type type, const char *name)
{
	static const struct pv_str texts[] = {
	    {"one", 3}, {"", 0}, {"a\0b", 3}, {"never", 5}};
	static const bool nulls[] = {false, false, false, true};
	struct pv_fleet_value value = pv_fleet_texts(type, texts, 4);
	struct pv_fleet_array array;
	struct pv_fleet_field item;
	struct pv_str text;
	unsigned same = 0;
	value.items.nulls = nulls;
	ok(pv_fleet_field_array(encode(value), &array) && array.count == 4,
	    "%s: an array that was written can be read", name);
	for (size_t i = 0; pv_fleet_array_next(&array, &item); i++)
		same += nulls[i] ? item.is_null
				 : pv_fleet_field_text(item, &text) &&
				       pv_str_equal(text, texts[i]);
	ok(same == 4 && array.count == 0, "%s: each item is the same", name);
}

static void read_numbers_again(enum pv_fleet_type type, const char *name)
{
	static const int64_t numbers[] = {0, 1, -1, 32767, -32768};
	struct pv_fleet_array array;
	struct pv_fleet_field item;
	int64_t number;
	unsigned same = 0;
	ok(pv_fleet_field_array(
	       encode(pv_fleet_numbers(type, numbers, 5)), &array),
	    "%s: an array that was written can be read", name);
	for (size_t i = 0; pv_fleet_array_next(&array, &item); i++)
		same += pv_fleet_field_number(item, &number) &&
			number == numbers[i];
	ok(same == 5, "%s: each number is the same", name);
}

static void read_bools_again(void)
{
	static const bool flags[] = {true, false};
	struct pv_fleet_array array;
	struct pv_fleet_field item;
	bool flag;
	ok(pv_fleet_field_array(encode(pv_fleet_bools(flags, 2)), &array) &&
		pv_fleet_array_next(&array, &item) &&
		pv_fleet_field_bool(item, &flag) && flag &&
		pv_fleet_array_next(&array, &item) &&
		pv_fleet_field_bool(item, &flag) && !flag &&
		!pv_fleet_array_next(&array, &item),
	    "an array of bool is the same again");
}

int main(void)
{
	pv_buf_init(&encoded, 1000);
	encode_scalars();
	encode_arrays();
	refuse_what_is_too_large();
	read_texts_again(PV_FLEET_TEXTS, "text");
	read_texts_again(PV_FLEET_BYTEAS, "bytea");
	read_numbers_again(PV_FLEET_INT2S, "int2");
	read_numbers_again(PV_FLEET_INT4S, "int4");
	read_numbers_again(PV_FLEET_INT8S, "int8");
	read_bools_again();
	pv_buf_finish(&encoded);
	return tap_done();
}
