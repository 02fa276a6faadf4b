#include "fleet/line/field.h"

#include "fleet/line/value.h"
#include "tap.h"

static struct pv_fleet_field field(
    enum pv_fleet_type type, const char *bytes, size_t len)
{
	return (struct pv_fleet_field){
	    .oid = pv_fleet_type_oid(type), .bytes = {bytes, len}};
}

#define FIELD(type, bytes) field((type), (bytes), sizeof(bytes) - 1)

static const struct {
	enum pv_fleet_type type;
	const char *bytes;
	size_t len;
	int64_t number;
	const char *claim;
} numbers[] = {
    {PV_FLEET_INT8, "\0\0\0\0\0\0\1\2", 8, 258, "int8"},
    {PV_FLEET_INT8, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, -1, "int8 below 0"},
    {PV_FLEET_INT8, "\x80\0\0\0\0\0\0\0", 8, INT64_MIN, "the least int8"},
    {PV_FLEET_INT4, "\xff\xff\xff\xfe", 4, -2, "int4"},
    {PV_FLEET_INT2, "\x80\0", 2, -32768, "int2"},
};

static void read_numbers(void)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct pv_fleet_field given =
		    field(numbers[i].type, numbers[i].bytes, numbers[i].len);
		int64_t number = 77;
		ok(pv_fleet_field_number(given, &number) &&
			number == numbers[i].number,
		    "%s is a number", numbers[i].claim);
		given.bytes.len--;
		number = 77;
		ok(!pv_fleet_field_number(given, &number) && number == 77,
		    "with a byte less it is none");
	}
}

static void refuse_other_types(void)
{
	struct pv_fleet_field null = {
	    .oid = pv_fleet_type_oid(PV_FLEET_INT8), .is_null = true};
	struct pv_fleet_array array;
	struct pv_str text;
	int64_t number;
	bool flag;
	ok(!pv_fleet_field_number(null, &number), "NULL is no number");
	null.oid = pv_fleet_type_oid(PV_FLEET_TEXT);
	ok(!pv_fleet_field_text(null, &text), "nor a text");
	null.oid = pv_fleet_type_oid(PV_FLEET_BOOL);
	ok(!pv_fleet_field_bool(null, &flag), "nor true or false");
	null.oid = pv_fleet_type_oid(PV_FLEET_TEXTS);
	ok(!pv_fleet_field_array(null, &array), "nor an array");
	ok(!pv_fleet_field_text(FIELD(PV_FLEET_INT4, "four"), &text),
	    "a number is no text");
	ok(!pv_fleet_field_number(FIELD(PV_FLEET_TEXT, "four"), &number),
	    "a text is no number");
	ok(!pv_fleet_field_number(
	       (struct pv_fleet_field){.oid = 701, .bytes = PV_STR("eight bt")},
	       &number),
	    "nor is a float");
	ok(!pv_fleet_field_bool(FIELD(PV_FLEET_BOOL, ""), &flag) &&
		!pv_fleet_field_bool(FIELD(PV_FLEET_BOOL, "\1\1"), &flag),
	    "a bool is one byte");
	ok(pv_fleet_field_text(
	       (struct pv_fleet_field){.oid = 19, .bytes = PV_STR("name")},
	       &text) &&
		pv_str_equal(text, PV_STR("name")),
	    "a name is a text");
}

#define HEAD(dimensions, oid) dimensions "\0\0\0\0" oid
#define INT4_OID "\0\0\0\x17"

static const struct {
	const char *bytes;
	size_t len;
	const char *claim;
} broken[] = {
#define BROKEN(bytes, claim)                        \
	{                                           \
		(bytes), sizeof(bytes) - 1, (claim) \
	}
    BROKEN("", "nothing"),
    BROKEN("\0\0\0\0\0\0\0\0\0\0\0", "half a head"),
    BROKEN(HEAD("\0\0\0\1", "\0\0\0\x14"), "one of other items"),
    BROKEN(HEAD("\0\0\0\2", INT4_OID) "\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1",
	"one of two dimensions"),
    BROKEN(HEAD("\xff\xff\xff\xff", INT4_OID) "\0\0\0\1\0\0\0\1",
	"one of four milliards"),
    BROKEN(HEAD("\0\0\0\1", INT4_OID) "\0\0\0\1", "one without a beginning"),
    BROKEN(HEAD("\0\0\0\1", INT4_OID) "\x80\0\0\0\0\0\0\1",
	"one of fewer items than none"),
};

static void refuse_broken_arrays(void)
{
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct pv_fleet_array array;
		ok(!pv_fleet_field_array(
		       field(PV_FLEET_INT4S, broken[i].bytes, broken[i].len),
		       &array),
		    "%s is no array", broken[i].claim);
	}
}

static void stop_at_broken_items(void)
{
	struct pv_fleet_array array;
	struct pv_fleet_field item;
	ok(pv_fleet_field_array(
	       FIELD(PV_FLEET_INT4S, HEAD("\0\0\0\1", INT4_OID) "\0\0\0\2"
								"\0\0\0\1"
								"\0\0\0\1x"
								"\0\0\0\5y"),
	       &array) &&
		pv_fleet_array_next(&array, &item) && item.bytes.len == 1,
	    "an item may be anything");
	ok(!pv_fleet_array_next(&array, &item) && array.count == 1,
	    "one that is longer than what is left ends it");
	ok(pv_fleet_field_array(
	       FIELD(PV_FLEET_INT4S, HEAD("\0\0\0\1", INT4_OID) "\0\0\0\2"
								"\0\0\0\1"
								"\0\0"),
	       &array) &&
		!pv_fleet_array_next(&array, &item) && array.count == 2,
	    "so does half a length");
}

int main(void)
{
	read_numbers();
	refuse_other_types();
	refuse_broken_arrays();
	stop_at_broken_items();
	return tap_done();
}
