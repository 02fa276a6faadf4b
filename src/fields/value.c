#include "fields/value.h"

#include "base/json/json.h"
#include "base/json/json_page.h"
#include "base/utf8.h"
#include "fields/date_text.h"
#include "fields/number_text.h"
#include "schedule/zone/time_zone.h"
#include "schedule/zone/zone_file.h"
#include "url/url.h"

/* Longer than what is read, as each byte may become three. */
#define TEXT_MAX (3 * PV_JSON_PAGE_MAX)

void pv_field_reader_init(struct pv_field_reader *reader,
    const struct pv_value_form *form, const char *environment)
{
	*reader = (struct pv_field_reader){.form = *form};
	if (form->type == PV_VALUE_DATE && form->zone)
		reader->zone =
		    pv_zone_file_open(pv_str_of(form->zone), environment);
}

void pv_field_reader_finish(struct pv_field_reader *reader)
{
	pv_time_zone_destroy(reader->zone);
	reader->zone = NULL;
}

/* A text on its way to a cell. */
struct making {
	const struct pv_value_form *form;
	const struct pv_time_zone *zone;
	const struct pv_field_page *page;
	struct pv_buf *buf; /* of at most page->len_max bytes */
};

static bool make_number(const struct making *making, struct pv_str text)
{
	return pv_number_text_read(text, making->form->decimal,
	    making->form->type == PV_VALUE_INTEGER, making->buf);
}

static bool make_bool(const struct making *making, struct pv_str text)
{
	static const struct pv_str words[][2] = {
	    {PV_STR("false"), PV_STR("true")},
	    {PV_STR("no"), PV_STR("yes")},
	    {PV_STR("off"), PV_STR("on")},
	    {PV_STR("0"), PV_STR("1")},
	};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		for (size_t k = 0; k < 2; k++) {
			if (pv_str_equal_nocase(text, words[i][k]))
				return pv_buf_append(making->buf, words[0][k]);
		}
	}
	return false;
}

static bool make_date(const struct making *making, struct pv_str text)
{
	struct pv_date_terms terms = {making->form->date_format, making->zone};
	return pv_date_text_read(text, &terms, making->buf);
}

static bool make_url(const struct making *making, struct pv_str text)
{
	struct pv_url url;
	pv_url_init(&url, making->page->len_max);
	enum pv_url_result result =
	    pv_url_join(&url, making->page->base, text, making->page->encoder);
	bool is_made = result == PV_URL_OK &&
		       pv_buf_append(making->buf, pv_url_text(&url));
	making->buf->is_full |= result == PV_URL_TOO_LONG;
	pv_url_finish(&url);
	return is_made;
}

static bool make_json(const struct making *making, struct pv_str text)
{
	struct pv_json *value = pv_json_read_page(text);
	bool is_made = value && pv_json_page_write(value, making->buf);
	pv_json_destroy(value);
	return is_made;
}

/* How each type is made of a text without white space around it. */
static const struct {
	enum pv_cell_kind kind;
	bool (*make)(const struct making *making, struct pv_str text);
} makers[PV_VALUE_TYPE_COUNT] = {
    [PV_VALUE_TEXT] = {PV_CELL_TEXT, NULL},
    [PV_VALUE_HTML] = {PV_CELL_TEXT, NULL},
    [PV_VALUE_INTEGER] = {PV_CELL_INTEGER, make_number},
    [PV_VALUE_NUMBER] = {PV_CELL_NUMBER, make_number},
    [PV_VALUE_BOOL] = {PV_CELL_BOOL, make_bool},
    [PV_VALUE_DATE] = {PV_CELL_TEXT, make_date},
    [PV_VALUE_URL] = {PV_CELL_TEXT, make_url},
    [PV_VALUE_JSON] = {PV_CELL_JSON, make_json},
};

static bool fail(enum pv_field_fault *fault, enum pv_field_fault why)
{
	*fault = why;
	return false;
}

/* A text or html, as it is. */
static bool keep(const struct pv_field_page *page, struct pv_str text,
    struct pv_cell *cell, enum pv_field_fault *fault)
{
	if (text.len > page->len_max)
		return fail(fault, PV_FIELD_LONG);
	cell->kind = PV_CELL_TEXT;
	cell->text = pv_arena_copy(page->arena, text);
	return true;
}

static bool make(const struct making *making, struct pv_str text,
    struct pv_cell *cell, enum pv_field_fault *fault)
{
	enum pv_value_type type = making->form->type;
	if (!text.len)
		return fail(fault, PV_FIELD_NOTHING);
	if (type != PV_VALUE_JSON && text.len > making->page->len_max)
		return fail(fault, PV_FIELD_LONG);
	if (!makers[type].make(making, text))
		return fail(fault,
		    making->buf->is_full ? PV_FIELD_LONG : PV_FIELD_WRONG);
	cell->kind = makers[type].kind;
	cell->text =
	    pv_arena_copy(making->page->arena, pv_buf_str(making->buf));
	return true;
}

static bool make_or_keep(const struct making *making, struct pv_str clean,
    struct pv_cell *cell, enum pv_field_fault *fault)
{
	struct pv_buf words;
	bool is_made;
	if (making->form->type == PV_VALUE_HTML ||
	    (making->form->type == PV_VALUE_TEXT && making->form->is_untrimmed))
		return keep(making->page, clean, cell, fault);
	pv_buf_init(&words, TEXT_MAX);
	if (!pv_utf8_append_collapsed(&words, clean))
		is_made = fail(fault, PV_FIELD_LONG);
	else if (making->form->type == PV_VALUE_TEXT)
		is_made = keep(making->page, pv_buf_str(&words), cell, fault);
	else if (making->form->type == PV_VALUE_JSON && words.len)
		is_made = make(making, clean, cell, fault);
	else
		is_made = make(making, pv_buf_str(&words), cell, fault);
	pv_buf_finish(&words);
	return is_made;
}

bool pv_field_value_read(const struct pv_field_reader *reader,
    const struct pv_field_page *page, struct pv_str text, struct pv_cell *cell,
    enum pv_field_fault *fault)
{
	struct pv_buf clean, made;
	struct making making = {&reader->form, reader->zone, page, &made};
	*cell = (struct pv_cell){.kind = PV_CELL_NULL};
	pv_buf_init(&clean, TEXT_MAX);
	pv_buf_init(&made, page->len_max);
	if (pv_utf8_find_invalid(text) != PV_NOT_FOUND) {
		pv_utf8_append_valid(&clean, text);
		text = pv_buf_str(&clean);
	}
	bool is_made = clean.is_full ? fail(fault, PV_FIELD_LONG)
				     : make_or_keep(&making, text, cell, fault);
	pv_buf_finish(&made);
	pv_buf_finish(&clean);
	return is_made;
}

/* The whole value as JSON. */
static bool keep_json(const struct pv_field_page *page,
    const struct pv_json *value, struct pv_cell *cell,
    enum pv_field_fault *fault)
{
	struct pv_buf buf;
	pv_buf_init(&buf, page->len_max);
	bool is_kept = pv_json_page_write(value, &buf)
			   ? keep(page, pv_buf_str(&buf), cell, fault)
			   : fail(fault, PV_FIELD_LONG);
	pv_buf_finish(&buf);
	return is_kept;
}

bool pv_field_value_read_json(const struct pv_field_reader *reader,
    const struct pv_field_page *page, const struct pv_json *value,
    struct pv_cell *cell, enum pv_field_fault *fault)
{
	struct pv_field_reader pointed = *reader;
	enum pv_value_type type = reader->form.type;
	enum pv_json_kind kind = pv_json_page_kind(value);
	*cell = (struct pv_cell){.kind = PV_CELL_NULL};
	if (kind == PV_JSON_NULL)
		return fail(fault, PV_FIELD_NOTHING);
	bool is_group = kind == PV_JSON_OBJECT || kind == PV_JSON_ARRAY;
	if (type == PV_VALUE_JSON ||
	    (is_group && (type == PV_VALUE_TEXT || type == PV_VALUE_HTML))) {
		bool is_kept = keep_json(page, value, cell, fault);
		if (is_kept && type == PV_VALUE_JSON)
			cell->kind = PV_CELL_JSON;
		return is_kept;
	}
	if (is_group)
		return fail(fault, PV_FIELD_WRONG);
	if (kind == PV_JSON_NUMBER)
		pointed.form.decimal = '.';
	return pv_field_value_read(
	    &pointed, page, pv_json_page_text(value), cell, fault);
}
