#include "fields/value.h"

#include "base/json/json.h"
#include "base/json/json_page.h"
#include "tap.h"
#include "url/url.h"

#define NONE            \
	{               \
		NULL, 0 \
	}

static const struct {
	enum pv_value_type type;
	struct pv_str text;
	struct pv_str value; /* NULL: the fault */
	enum pv_field_fault fault;
	enum pv_cell_kind kind;
} cases[] = {
    {PV_VALUE_TEXT, PV_STR(" a \n b\0 "), PV_STR("a b\0"), 0, PV_CELL_TEXT},
    {PV_VALUE_TEXT, PV_STR(""), PV_STR(""), 0, PV_CELL_TEXT},
    {PV_VALUE_TEXT,
	PV_STR("a\xff"
	       "b"),
	PV_STR("a\xef\xbf\xbd"
	       "b"),
	0, PV_CELL_TEXT},
    {PV_VALUE_TEXT, PV_STR("=cmd()"), PV_STR("=cmd()"), 0, PV_CELL_TEXT},
    {PV_VALUE_HTML, PV_STR(" <p> a\xc0</p>"), PV_STR(" <p> a\xef\xbf\xbd</p>"),
	0, PV_CELL_TEXT},
    {PV_VALUE_INTEGER,
	PV_STR("\xc2\xa0"
	       "12345678901234567890 "),
	PV_STR("12345678901234567890"), 0, PV_CELL_INTEGER},
    {PV_VALUE_INTEGER, PV_STR("12.5"), NONE, PV_FIELD_WRONG, 0},
    {PV_VALUE_INTEGER, PV_STR(" "), NONE, PV_FIELD_NOTHING, 0},
    {PV_VALUE_NUMBER, PV_STR("12.50 EUR"), PV_STR("12.50"), 0, PV_CELL_NUMBER},
    {PV_VALUE_NUMBER, PV_STR("none"), NONE, PV_FIELD_WRONG, 0},
    {PV_VALUE_BOOL, PV_STR(" Yes "), PV_STR("true"), 0, PV_CELL_BOOL},
    {PV_VALUE_BOOL, PV_STR("ON"), PV_STR("true"), 0, PV_CELL_BOOL},
    {PV_VALUE_BOOL, PV_STR("1"), PV_STR("true"), 0, PV_CELL_BOOL},
    {PV_VALUE_BOOL, PV_STR("true"), PV_STR("true"), 0, PV_CELL_BOOL},
    {PV_VALUE_BOOL, PV_STR("no"), PV_STR("false"), 0, PV_CELL_BOOL},
    {PV_VALUE_BOOL, PV_STR("off"), PV_STR("false"), 0, PV_CELL_BOOL},
    {PV_VALUE_BOOL, PV_STR("0"), PV_STR("false"), 0, PV_CELL_BOOL},
    {PV_VALUE_BOOL, PV_STR("False"), PV_STR("false"), 0, PV_CELL_BOOL},
    {PV_VALUE_BOOL, PV_STR("maybe"), NONE, PV_FIELD_WRONG, 0},
    {PV_VALUE_BOOL, PV_STR("yes no"), NONE, PV_FIELD_WRONG, 0},
    {PV_VALUE_DATE, PV_STR("\n2026-11-27\n"), PV_STR("2026-11-27"), 0,
	PV_CELL_TEXT},
    {PV_VALUE_DATE, PV_STR("2026-11-27 21:05"),
	PV_STR("2026-11-27T21:05:00+02:00"), 0, PV_CELL_TEXT},
    {PV_VALUE_DATE, PV_STR("today"), NONE, PV_FIELD_WRONG, 0},
    {PV_VALUE_URL, PV_STR(" ../c?d#e "), PV_STR("http://example.org/c?d#e"), 0,
	PV_CELL_TEXT},
    {PV_VALUE_URL, PV_STR("//other.example/x y"),
	PV_STR("http://other.example/x%20y"), 0, PV_CELL_TEXT},
    {PV_VALUE_URL, PV_STR("mailto:a@example.org"), NONE, PV_FIELD_WRONG, 0},
    {PV_VALUE_URL, PV_STR("data:,x"), NONE, PV_FIELD_WRONG, 0},
    {PV_VALUE_URL, PV_STR("http://["), NONE, PV_FIELD_WRONG, 0},
    {PV_VALUE_URL, PV_STR(" "), NONE, PV_FIELD_NOTHING, 0},
    {PV_VALUE_JSON, PV_STR(" {\"a\":\n [1.50, \"x  y\"]} "),
	PV_STR("{\"a\":[1.50,\"x  y\"]}"), 0, PV_CELL_JSON},
    {PV_VALUE_JSON, PV_STR("12345678901234567890"),
	PV_STR("12345678901234567890"), 0, PV_CELL_JSON},
    {PV_VALUE_JSON, PV_STR("{a:1}"), NONE, PV_FIELD_WRONG, 0},
    {PV_VALUE_JSON, PV_STR(" \n"), NONE, PV_FIELD_NOTHING, 0},
};

static const struct {
	enum pv_value_type type;
	struct pv_str json;
	struct pv_str value;
	enum pv_field_fault fault;
} jsons[] = {
    {PV_VALUE_TEXT, PV_STR("\" a  b \""), PV_STR("a b"), 0},
    {PV_VALUE_TEXT, PV_STR("\"a\\u0000b\""), PV_STR("a\0b"), 0},
    {PV_VALUE_TEXT, PV_STR("12.50"), PV_STR("12.50"), 0},
    {PV_VALUE_TEXT, PV_STR("true"), PV_STR("true"), 0},
    {PV_VALUE_TEXT, PV_STR("null"), NONE, PV_FIELD_NOTHING},
    {PV_VALUE_TEXT, PV_STR("{\"a\": \"x  y\"}"), PV_STR("{\"a\":\"x  y\"}"), 0},
    {PV_VALUE_NUMBER, PV_STR("1.500"), PV_STR("1.500"), 0},
    {PV_VALUE_NUMBER, PV_STR("1e400"), PV_STR("1e400"), 0},
    {PV_VALUE_NUMBER, PV_STR("\"1.500\""), PV_STR("1500"), 0},
    {PV_VALUE_NUMBER, PV_STR("[1]"), NONE, PV_FIELD_WRONG},
    {PV_VALUE_INTEGER, PV_STR("98765432109876543210"),
	PV_STR("98765432109876543210"), 0},
    {PV_VALUE_INTEGER, PV_STR("5.0"), PV_STR("5"), 0},
    {PV_VALUE_BOOL, PV_STR("false"), PV_STR("false"), 0},
    {PV_VALUE_BOOL, PV_STR("1"), PV_STR("true"), 0},
    {PV_VALUE_JSON, PV_STR("\"a\""), PV_STR("\"a\""), 0},
    {PV_VALUE_JSON, PV_STR("[ 1 ]"), PV_STR("[1]"), 0},
    {PV_VALUE_JSON, PV_STR("null"), NONE, PV_FIELD_NOTHING},
    {PV_VALUE_DATE, PV_STR("\"2026-11-27T00:00:00Z\""),
	PV_STR("2026-11-27T00:00:00Z"), 0},
    {PV_VALUE_URL, PV_STR("\"/x\""), PV_STR("http://example.org/x"), 0},
};

static void init_reader(
    struct pv_field_reader *reader, enum pv_value_type type, char decimal)
{
	struct pv_value_form form = {
	    .type = type, .decimal = decimal, .zone = "+02:00"};
	pv_field_reader_init(reader, &form, NULL);
}

static void claim(bool is_made, const struct pv_cell *cell,
    enum pv_field_fault found, struct pv_str value, enum pv_field_fault fault)
{
	ok(is_made == (value.ptr != NULL) &&
		(is_made ? pv_str_equal(cell->text, value)
			 : found == fault && cell->kind == PV_CELL_NULL),
	    "the value \"%.*s\", or %d; found \"%.*s\", or %d",
	    PV_STR_ARG(value), fault, PV_STR_ARG(cell->text), found);
}

static void test_texts(const struct pv_field_page *page)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_field_reader reader;
		struct pv_cell cell;
		enum pv_field_fault fault = PV_FIELD_FAULT_COUNT;
		init_reader(&reader, cases[i].type, '.');
		bool is_made = pv_field_value_read(
		    &reader, page, cases[i].text, &cell, &fault);
		claim(is_made, &cell, fault, cases[i].value, cases[i].fault);
		ok(cell.kind == cases[i].kind, "it is of kind %d",
		    cases[i].kind);
		pv_field_reader_finish(&reader);
	}
}

static void test_jsons(const struct pv_field_page *page)
{
	for (size_t i = 0; i < sizeof(jsons) / sizeof(*jsons); i++) {
		struct pv_field_reader reader;
		struct pv_cell cell;
		enum pv_field_fault fault = PV_FIELD_FAULT_COUNT;
		struct pv_json *value = pv_json_read_page(jsons[i].json);
		init_reader(&reader, jsons[i].type, ',');
		bool is_made = pv_field_value_read_json(
		    &reader, page, value, &cell, &fault);
		claim(is_made, &cell, fault, jsons[i].value, jsons[i].fault);
		pv_field_reader_finish(&reader);
		pv_json_destroy(value);
	}
}

static enum pv_field_fault fault_of(const struct pv_field_page *page,
    enum pv_value_type type, bool is_untrimmed, struct pv_str text)
{
	struct pv_field_reader reader;
	struct pv_cell cell;
	enum pv_field_fault fault = PV_FIELD_FAULT_COUNT;
	init_reader(&reader, type, '.');
	reader.form.is_untrimmed = is_untrimmed;
	pv_field_value_read(&reader, page, text, &cell, &fault);
	pv_field_reader_finish(&reader);
	return fault;
}

/* P5 */
static void test_lengths(const struct pv_field_page *page)
{
	static const struct {
		enum pv_value_type type;
		bool is_untrimmed;
	} types[] = {{PV_VALUE_TEXT, false}, {PV_VALUE_TEXT, true},
	    {PV_VALUE_HTML, false}, {PV_VALUE_URL, false},
	    {PV_VALUE_JSON, false}, {PV_VALUE_INTEGER, false}};
	size_t len = PV_VALUE_LEN_MAX + 1;
	char *bytes = pv_arena_give(page->arena, len + 1);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		memset(bytes, '1', len);
		ok(fault_of(page, types[i].type, types[i].is_untrimmed,
		       (struct pv_str){bytes, len}) == PV_FIELD_LONG,
		    "64 KiB and a byte are too long");
	}
	ok(fault_of(page, PV_VALUE_TEXT, false,
	       (struct pv_str){bytes, len - 1}) == PV_FIELD_FAULT_COUNT,
	    "64 KiB are not");
	memset(bytes, ' ', len);
	bytes[9] = '1';
	ok(fault_of(page, PV_VALUE_TEXT, false, (struct pv_str){bytes, len}) ==
		    PV_FIELD_FAULT_COUNT &&
		fault_of(page, PV_VALUE_INTEGER, false,
		    (struct pv_str){bytes, len}) == PV_FIELD_FAULT_COUNT,
	    "white space that is left out does not count");
	ok(fault_of(page, PV_VALUE_TEXT, true, (struct pv_str){bytes, len}) ==
		PV_FIELD_LONG,
	    "but it does where it stays");
	memset(bytes, '[', len);
	ok(fault_of(page, PV_VALUE_JSON, false, (struct pv_str){bytes, len}) ==
		PV_FIELD_WRONG,
	    "JSON of depth 65,537 is wrong");
}

int main(void)
{
	struct pv_arena arena;
	struct pv_url base;
	struct pv_field_page page = {
	    .arena = &arena, .base = &base, .len_max = PV_VALUE_LEN_MAX};
	pv_arena_init(&arena);
	pv_url_init(&base, 4096);
	pv_url_parse(&base, PV_STR("http://example.org/a/b"));
	test_texts(&page);
	test_jsons(&page);
	test_lengths(&page);
	pv_url_finish(&base);
	pv_arena_finish(&arena);
	return tap_done();
}
