#include "fields/row_json.h"

#include "base/json/json.h"
#include "fields/cells.h"
#include "random.h"
#include "tap.h"

static void test_cells(void)
{
	struct pv_cell list[] = {CELL_TEXT("a"), CELL_NULL, CELL_INTEGER("-7")};
	struct pv_field within[] = {{.name = "by"}, {.name = "stars"}};
	const struct pv_field records = {
	    .name = "reviews", .fields = within, .field_count = 2};
	struct pv_cell one[] = {CELL_TEXT("Ann"), CELL_INTEGER("5")};
	struct pv_cell other[] = {CELL_TEXT("Bob"), CELL_NULL};
	struct pv_cell both[] = {CELL_RECORD(one), CELL_RECORD(other)};
	struct pv_cell none = {.kind = PV_CELL_LIST};
	const struct {
		struct pv_cell cell;
		const char *json;
		const char *what;
	} rows[] = {
	    {CELL_NULL, "null", "nothing is null"},
	    {CELL_TEXT(""), "\"\"", "an empty text is one"},
	    {CELL_TEXT("a\"b\\c\n"), "\"a\\\"b\\\\c\\n\"", "text is escaped"},
	    {CELL_TEXT("a\0b"), "\"a\\u0000b\"", "also a NUL in it"},
	    {CELL_TEXT("=1+1"), "\"=1+1\"", "a formula is a text like any"},
	    {CELL_INTEGER("12345678901234567890"), "12345678901234567890",
		"20 digits stay as they are"},
	    {CELL_NUMBER("12.50"), "12.50", "and so do decimals"},
	    {CELL_NUMBER(""), "null", "no digits are no number"},
	    {CELL_BOOL("true"), "true", "a truth is one"},
	    {CELL_JSON("{\"a\":[1]}"), "{\"a\":[1]}", "JSON stays JSON"},
	    {CELL_LIST(list), "[\"a\",null,-7]", "a list is an array"},
	    {none, "[]", "and an empty one an empty array"},
	    {CELL_RECORDS(both),
		"[{\"by\":\"Ann\",\"stars\":5},{\"by\":\"Bob\",\"stars\":null}"
		"]",
		"records within are objects"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pv_buf buf;
		pv_buf_init(&buf, 1000);
		pv_row_json_write_cell(&rows[i].cell, &records, &buf);
		is_text(pv_buf_str(&buf), rows[i].json, "%s", rows[i].what);
		pv_buf_finish(&buf);
	}
}

static void write_line(const struct pv_row_facts *facts,
    enum pv_row_change change, const struct pv_page_kind *kind,
    const struct pv_row *row, struct pv_buf *line)
{
	pv_buf_clear(line);
	pv_row_json_write_facts(facts, line);
	pv_row_json_write_change(change, line);
	if (row)
		pv_row_json_write_values(kind, row, line);
	else
		pv_buf_append(line, PV_ROW_JSON_END);
}

static void test_line(void)
{
	const char *carried_names[] = {"category"};
	struct pv_field fields[] = {{.name = "title"}, {.name = "price"}};
	const struct pv_page_kind kind = {
	    .name = "product",
	    .fields = fields,
	    .field_count = 2,
	    .carried = {carried_names, 1},
	};
	uint8_t digest[PV_DIGEST_SIZE] = {0xab};
	struct pv_row_facts facts = {
	    .url = PV_STR("https://a.example/1"),
	    .item = 3,
	    .wall_ms = INT64_C(1772357400250),
	    .digest = digest,
	};
	struct pv_cell carried[] = {CELL_TEXT("Tea")};
	struct pv_cell cells[] = {CELL_TEXT("Pot"), CELL_NULL};
	const struct pv_row row = {3, carried, cells};
	struct pv_buf line;
	pv_buf_init(&line, 10000);
	write_line(&facts, PV_ROW_NEW, &kind, &row, &line);
	is_text(pv_buf_str(&line),
	    "{\"_url\":\"https://a.example/1\",\"_item\":3,"
	    "\"_time\":\"2026-03-01T09:30:00.250Z\",\"_digest\":\"sha256:"
	    "ab00000000000000000000000000000000000000000000000000000000000000"
	    "\",\"_change\":\"new\",\"category\":\"Tea\",\"title\":\"Pot\","
	    "\"price\":null}\n",
	    "a line has what the row says of itself, what was carried, and "
	    "its fields");
	facts.digest = NULL;
	write_line(&facts, PV_ROW_GONE, &kind, NULL, &line);
	is_text(pv_buf_str(&line),
	    "{\"_url\":\"https://a.example/1\",\"_item\":3,"
	    "\"_time\":\"2026-03-01T09:30:00.250Z\",\"_digest\":null,"
	    "\"_change\":\"gone\"}\n",
	    "of a row that is gone there is nothing else");
	pv_buf_finish(&line);
}

/* Whatever bytes a page has. */
static void test_any_bytes(void)
{
	struct random random = random_of(11);
	bool are_read = true;
	for (unsigned i = 0; i < 2000; i++) {
		char bytes[40];
		for (size_t j = 0; j < sizeof(bytes); j++)
			bytes[j] = (char)random_below(&random, 256);
		struct pv_cell cell = {.kind = PV_CELL_TEXT,
		    .text = {bytes, random_below(&random, 41)}};
		struct pv_buf buf;
		pv_buf_init(&buf, 1000);
		pv_buf_append_char(&buf, '[');
		pv_row_json_write_cell(&cell, NULL, &buf);
		pv_buf_append_char(&buf, ']');
		struct pv_json *json = pv_json_read(pv_buf_str(&buf));
		are_read = are_read && json &&
			   pv_str_find(pv_buf_str(&buf), '\n') == PV_NOT_FOUND;
		pv_json_destroy(json);
		pv_buf_finish(&buf);
	}
	ok(are_read, "whatever bytes a text has, it is JSON on one line");
}

static void test_ceiling(void)
{
	struct pv_cell cell = CELL_TEXT("long enough");
	struct pv_buf buf;
	pv_buf_init(&buf, 5);
	pv_row_json_write_cell(&cell, NULL, &buf);
	ok(buf.is_full, "what does not fit is seen");
	pv_buf_finish(&buf);
}

int main(void)
{
	test_cells();
	test_line();
	test_any_bytes();
	test_ceiling();
	return tap_done();
}
