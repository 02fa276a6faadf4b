#include <stdint.h>
#include <stdlib.h>

#include "base/json/json_text.h"
#include "base/pattern/regex.h"
#include "base/utf8.h"
#include "fields/value.h"
#include "policy/values/date_format.h"
#include "url/url.h"

/* Makes values of texts. The input is a line with a format of dates, one with a
 * regular expression, and the text.
 *
 * What must hold: values are UTF-8; numbers are numbers of JSON, and integers
 * have digits only; dates are no longer than RFC 3339 has them; what was made is
 * no longer than it may be; and what an expression finds are pieces of the text,
 * in order.
 */

#define LEN_MAX ((size_t)1000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_cell(enum pv_value_type type, const struct pv_cell *cell)
{
	require(cell->text.len <= LEN_MAX);
	require(pv_utf8_find_invalid(cell->text) == PV_NOT_FOUND);
	if (type == PV_VALUE_INTEGER || type == PV_VALUE_NUMBER)
		require(pv_json_text_is_number(cell->text));
	if (type == PV_VALUE_INTEGER)
		require(pv_str_find(cell->text, '.') == PV_NOT_FOUND);
	if (type == PV_VALUE_DATE)
		require(cell->text.len >= 10 && cell->text.len <= 35);
	if (type == PV_VALUE_URL)
		require(pv_str_starts(cell->text, PV_STR("http")));
	if (type == PV_VALUE_JSON)
		require(pv_str_find(cell->text, '\n') == PV_NOT_FOUND);
}

static void check_value(const struct pv_field_page *page,
    const struct pv_value_form *form, struct pv_str text)
{
	struct pv_field_reader reader;
	struct pv_cell cell;
	enum pv_field_fault fault = PV_FIELD_FAULT_COUNT;
	pv_field_reader_init(&reader, form, NULL);
	if (pv_field_value_read(&reader, page, text, &cell, &fault))
		check_cell(form->type, &cell);
	else
		require(cell.kind == PV_CELL_NULL && fault <= PV_FIELD_LONG);
	pv_field_reader_finish(&reader);
}

static void check_values(struct pv_str format, struct pv_str text)
{
	struct pv_arena arena;
	struct pv_url base;
	struct pv_field_page page = {
	    .arena = &arena, .base = &base, .len_max = LEN_MAX};
	size_t offset;
	pv_arena_init(&arena);
	pv_url_init(&base, LEN_MAX);
	pv_url_parse(&base, PV_STR("http://example.org/a/b"));
	bool is_format = !pv_date_format_fault(format, &offset);
	const char *date_format = pv_arena_text(&arena, format);
	is_format = is_format && strlen(date_format) == format.len;
	for (size_t i = 0; i < 2 * PV_VALUE_TYPE_COUNT; i++) {
		struct pv_value_form form = {
		    .type = (enum pv_value_type)(i / 2),
		    .is_untrimmed = i % 2,
		    .decimal = i % 2 ? ',' : '.',
		    .date_format = i % 2 && is_format ? date_format : NULL,
		    .zone = i % 2 ? "-03:30" : NULL,
		};
		check_value(&page, &form, text);
	}
	pv_url_finish(&base);
	pv_arena_finish(&arena);
}

static void check_regex(struct pv_str pattern, struct pv_str text)
{
	struct pv_pattern_fault fault = {0};
	struct pv_str value;
	int64_t budget = PV_REGEX_SEARCH_STEPS / 10;
	struct pv_regex *regex = pv_regex_create(pattern, &fault);
	if (!regex)
		return;
	struct pv_regex_search *search =
	    pv_regex_search_create(regex, text, &budget);
	size_t matches = 0;
	while (pv_regex_search_next(search, &value) == PV_PATTERN_YES) {
		require(value.ptr >= text.ptr &&
			value.ptr + value.len <= text.ptr + text.len);
		matches++;
	}
	require(matches <= 2 * text.len + 2);
	pv_regex_search_destroy(search);
	pv_regex_destroy(regex);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	struct pv_str format = pv_reader_take_line(&reader);
	struct pv_str pattern = pv_reader_take_line(&reader);
	check_values(format, pv_reader_rest(&reader));
	check_regex(pattern, pv_reader_rest(&reader));
	return 0;
}
