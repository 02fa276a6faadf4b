#include "fields/output/packed.h"

#include "fields/cells.h"
#include "tap.h"

static void test_cells(void)
{
	static struct pv_cell list[] = {{.kind = PV_CELL_NULL}};
	const struct {
		struct pv_cell cell;
		enum pv_packed_kind kind;
		int64_t number;
		const char *text;
	} rows[] = {
	    {CELL_NULL, PV_PACKED_NULL, 0, ""},
	    {CELL_TEXT("a\0b"), PV_PACKED_TEXT, 0, "a"},
	    {CELL_TEXT(""), PV_PACKED_TEXT, 0, ""},
	    {CELL_INTEGER("0"), PV_PACKED_NUMBER, 0, ""},
	    {CELL_INTEGER("-12"), PV_PACKED_NUMBER, -12, ""},
	    {CELL_INTEGER("9223372036854775807"), PV_PACKED_NUMBER, INT64_MAX,
		""},
	    {CELL_INTEGER("9223372036854775808"), PV_PACKED_TEXT, 0,
		"9223372036854775808"},
	    {CELL_INTEGER("-12345678901234567890"), PV_PACKED_TEXT, 0,
		"-12345678901234567890"},
	    {CELL_NUMBER("12.50"), PV_PACKED_TEXT, 0, "12.50"},
	    {CELL_BOOL("true"), PV_PACKED_NUMBER, 1, ""},
	    {CELL_BOOL("false"), PV_PACKED_NUMBER, 0, ""},
	    {CELL_JSON("[1]"), PV_PACKED_TEXT, 0, "[1]"},
	    {CELL_LIST(list), PV_PACKED_TEXT, 0, "[null]"},
	};
	struct pv_buf packed;
	struct pv_packed_value value;
	pv_buf_init(&packed, 10000);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		pv_packed_add_cell(&rows[i].cell, NULL, &packed);
	struct pv_str left = pv_buf_str(&packed);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool is_there = pv_packed_next(&left, &value);
		ok(is_there && value.kind == rows[i].kind &&
			value.number == rows[i].number &&
			pv_str_starts(value.text, pv_str_of(rows[i].text)),
		    "value %zu is what was packed", i);
	}
	ok(!pv_packed_next(&left, &value), "and there is no other");
	left = pv_str_head(pv_buf_str(&packed), 5);
	ok(pv_packed_next(&left, &value) && !pv_packed_next(&left, &value),
	    "half a value is none");
	pv_buf_finish(&packed);
}

int main(void)
{
	test_cells();
	return tap_done();
}
