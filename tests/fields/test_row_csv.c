#include "fields/row_csv.h"

#include "fields/cells.h"
#include "tap.h"

/* What stands in the only column of a row's field. */
static void write(const struct pv_cell *cell, const struct pv_field *field,
    struct pv_buf *line)
{
	struct pv_field fields[] = {*field};
	struct pv_cell cells[] = {*cell};
	const struct pv_page_kind kind = {.fields = fields, .field_count = 1};
	const struct pv_row row = {1, NULL, cells};
	pv_row_csv_write_values(&kind, &row, line);
}

static void test_values(void)
{
	struct pv_cell two[] = {CELL_TEXT("a"), CELL_TEXT("b\"c")};
	struct pv_cell one[] = {CELL_TEXT("alone")};
	struct pv_cell formulas[] = {CELL_TEXT("=a"), CELL_TEXT("=b")};
	struct pv_cell numbers[] = {CELL_INTEGER("-1"), CELL_INTEGER("-2")};
	struct pv_cell empty_first[] = {CELL_TEXT(""), CELL_TEXT("b")};
	struct pv_cell none = {.kind = PV_CELL_LIST};
	const struct {
		struct pv_cell cell;
		const char *join;
		const char *csv;
		const char *what;
	} rows[] = {
	    {CELL_NULL, NULL, ",\r\n", "nothing is empty"},
	    {CELL_TEXT("plain"), NULL, ",plain\r\n", "text is text"},
	    {CELL_TEXT("a,b"), NULL, ",\"a,b\"\r\n", "a comma is quoted"},
	    {CELL_TEXT("a\"b"), NULL, ",\"a\"\"b\"\r\n", "a quote is doubled"},
	    {CELL_TEXT("a\nb"), NULL, ",\"a\nb\"\r\n", "a line may go on"},
	    {CELL_TEXT("a\rb"), NULL, ",\"a\rb\"\r\n", "also by CR"},
	    {CELL_TEXT("a\0b"), NULL,
		",a\xef\xbf\xbd"
		"b\r\n",
		"a NUL is no character"},
	    {CELL_TEXT("=1+1"), NULL, ",'=1+1\r\n", "= is no formula"},
	    {CELL_TEXT("+1"), NULL, ",'+1\r\n", "nor is +"},
	    {CELL_TEXT("-1"), NULL, ",'-1\r\n", "nor -"},
	    {CELL_TEXT("@a"), NULL, ",'@a\r\n", "nor @"},
	    {CELL_TEXT("\tb"), NULL, ",'\tb\r\n", "nor a tab"},
	    {CELL_TEXT("\r=1"), NULL, ",\"'\r=1\"\r\n", "nor CR"},
	    {CELL_TEXT("=\",\""), NULL, ",\"'=\"\",\"\"\"\r\n",
		"nor one with quotes"},
	    {CELL_TEXT("a=b"), NULL, ",a=b\r\n", "within a text it is no harm"},
	    {CELL_INTEGER("-12"), NULL, ",-12\r\n", "a number keeps its sign"},
	    {CELL_NUMBER("-12.50"), NULL, ",-12.50\r\n", "and its digits"},
	    {CELL_INTEGER("12345678901234567890"), NULL,
		",12345678901234567890\r\n", "all 20 of them"},
	    {CELL_BOOL("false"), NULL, ",false\r\n", "a truth is a word"},
	    {CELL_JSON("{\"a\":1}"), NULL, ",\"{\"\"a\"\":1}\"\r\n",
		"JSON is text"},
	    {CELL_JSON("-5"), NULL, ",-5\r\n", "and a number in it is one"},
	    {CELL_LIST(two), NULL, ",\"a\nb\"\"c\"\r\n",
		"values are joined by a newline"},
	    {CELL_LIST(two), " | ", ",\"a | b\"\"c\"\r\n",
		"or what the field says"},
	    {CELL_LIST(two), "\"", ",\"a\"\"b\"\"c\"\r\n", "be it a quote"},
	    {CELL_LIST(one), "; ", ",alone\r\n", "one value is not joined"},
	    {none, NULL, ",\r\n", "no value is none"},
	    {CELL_LIST(formulas), ",", ",\"'=a,=b\"\r\n",
		"joined they are no formula"},
	    {CELL_LIST(empty_first), "=", ",\"'=b\"\r\n",
		"also where the join begins one"},
	    {CELL_LIST(numbers), " ", ",\"-1 -2\"\r\n", "numbers are numbers"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct pv_field field = {
		    .name = "x", .join = rows[i].join};
		struct pv_buf line;
		pv_buf_init(&line, 1000);
		write(&rows[i].cell, &field, &line);
		is_text(pv_buf_str(&line), rows[i].csv, "%s", rows[i].what);
		pv_buf_finish(&line);
	}
}

static void test_lines(void)
{
	const char *carried_names[] = {"category"};
	struct pv_field within[] = {{.name = "by"}, {.name = "stars"}};
	struct pv_field fields[] = {{.name = "title"},
	    {.name = "reviews", .fields = within, .field_count = 2},
	    {.name = "price"}};
	const struct pv_page_kind kind = {
	    .name = "product",
	    .fields = fields,
	    .field_count = 3,
	    .carried = {carried_names, 1},
	};
	const struct pv_row_facts facts = {
	    .url = PV_STR("https://a.example/?a,b"),
	    .item = 2,
	    .wall_ms = INT64_C(1772357400250),
	};
	struct pv_cell review[] = {CELL_TEXT("=Ann"), CELL_INTEGER("5")};
	struct pv_cell reviews[] = {CELL_RECORD(review)};
	struct pv_cell carried[] = {CELL_TEXT("Tea")};
	struct pv_cell cells[] = {
	    CELL_TEXT("Pot"), CELL_RECORDS(reviews), CELL_NUMBER("4.20")};
	const struct pv_row row = {2, carried, cells};
	struct pv_buf line;
	pv_buf_init(&line, 10000);
	pv_row_csv_write_header(&kind, &line);
	is_text(pv_buf_str(&line),
	    "_url,_item,_time,_digest,_change,category,title,price\r\n",
	    "records within are no column");
	pv_buf_clear(&line);
	pv_row_csv_write_record_header(&fields[1], &line);
	is_text(pv_buf_str(&line), "_url,_item,_record,by,stars\r\n",
	    "but have a file of their own");
	pv_buf_clear(&line);
	pv_row_csv_write_facts(&facts, &line);
	pv_row_csv_write_change(PV_ROW_CHANGED, &line);
	pv_row_csv_write_values(&kind, &row, &line);
	is_text(pv_buf_str(&line),
	    "\"https://a.example/?a,b\",2,2026-03-01T09:30:00.250Z,,changed,"
	    "Tea,Pot,4.20\r\n",
	    "a row has a value for each column");
	pv_buf_clear(&line);
	pv_row_csv_write_facts(&facts, &line);
	pv_row_csv_write_change(PV_ROW_GONE, &line);
	pv_row_csv_write_nothing(&kind, &line);
	is_text(pv_buf_str(&line),
	    "\"https://a.example/?a,b\",2,2026-03-01T09:30:00.250Z,,gone,,,"
	    "\r\n",
	    "and one that is gone has as many columns");
	pv_buf_clear(&line);
	pv_row_csv_write_record(&facts, 1, &fields[1], &reviews[0], &line);
	is_text(pv_buf_str(&line), "\"https://a.example/?a,b\",2,1,'=Ann,5\r\n",
	    "a record says which row it is of");
	pv_buf_finish(&line);
}

int main(void)
{
	test_values();
	test_lines();
	return tap_done();
}
