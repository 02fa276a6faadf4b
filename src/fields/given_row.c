#include "fields/given_row.h"

#include "base/json/json.h"
#include "fields/extract.h"
#include "fields/json_cell.h"

/* One row, or one record within it. */
struct giving {
	const struct pv_given_row *given;
	struct pv_rows *rows;
	const char *outer; /* the field whose records they are */
	uint32_t item;
	struct pv_buf *why;
};

static void tell(const struct giving *giving, const struct pv_field *field,
    enum pv_field_fault fault, struct pv_str detail)
{
	struct pv_rows *rows = giving->rows;
	struct pv_field_problem problem = {
	    .field = field->name,
	    .fault = fault,
	    .item = giving->item,
	    .is_required = field->is_required,
	    .detail = detail,
	};
	if (giving->outer)
		problem.field = pv_arena_format(
		    &rows->arena, "%s.%s", giving->outer, field->name);
	pv_rows_add_problem(rows, &problem);
}

/* Names */

static const struct pv_field *find_field(
    const struct pv_field *fields, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (pv_str_equal(pv_str_of(fields[i].name), pv_str_of(name)))
			return &fields[i];
	}
	return NULL;
}

static bool are_names_known(const struct giving *giving,
    const struct pv_field *fields, size_t count, const struct pv_json *object);

static bool are_records_known(const struct giving *giving,
    const struct pv_field *field, const struct pv_json *value)
{
	if (pv_json_page_kind(value) != PV_JSON_ARRAY)
		return are_names_known(
		    giving, field->fields, field->field_count, value);
	for (size_t i = 0; i < pv_json_page_count(value); i++) {
		if (!are_names_known(giving, field->fields, field->field_count,
			pv_json_at(value, i)))
			return false;
	}
	return true;
}

/* What is misspelt would be missing, and nobody would know why. */
static bool are_names_known(const struct giving *giving,
    const struct pv_field *fields, size_t count, const struct pv_json *object)
{
	struct pv_json_walk walk = pv_json_walk_of(object);
	const struct pv_json *value;
	const char *name;
	if (pv_json_page_kind(object) != PV_JSON_OBJECT)
		return true;
	while ((value = pv_json_walk_next(&walk, &name))) {
		const struct pv_field *field = find_field(fields, count, name);
		if (!field) {
			pv_buf_append_format(giving->why,
			    "\"%.80s\" is no field of a row of \"%s\"", name,
			    giving->given->kind->name);
			return false;
		}
		if (field->field_count &&
		    !are_records_known(giving, field, value))
			return false;
	}
	return true;
}

/* Values */

static bool convert(const struct giving *giving, const struct pv_field *field,
    const struct pv_json *value, struct pv_cell *cell,
    enum pv_field_fault *fault)
{
	const struct pv_given_row *given = giving->given;
	struct pv_arena *arena = &giving->rows->arena;
	const struct pv_field_page values = {
	    .arena = arena,
	    .base = given->url,
	    .len_max = given->ceilings.value_bytes,
	};
	if (!pv_field_value_read_json(&given->readers->items[field->number],
		&values, value, cell, fault))
		return false;
	if (field->form.type == PV_VALUE_JSON)
		*cell = pv_cell_of_json(value, arena);
	return true;
}

/* An empty text is no value. */
static bool read_value(const struct giving *giving,
    const struct pv_field *field, const struct pv_json *value,
    struct pv_cell *cell)
{
	enum pv_field_fault fault = PV_FIELD_NOTHING;
	bool is_value = convert(giving, field, value, cell, &fault);
	if (!is_value && fault != PV_FIELD_NOTHING)
		tell(giving, field, fault,
		    fault == PV_FIELD_WRONG
			? pv_rows_detail(giving->rows, pv_json_page_text(value))
			: PV_STR(""));
	return is_value && (cell->kind != PV_CELL_TEXT || cell->text.len);
}

/* The items of an array, or what is none as the only one. What is beyond the
 * ceiling is left out, and told. */
static size_t count_of(const struct giving *giving,
    const struct pv_field *field, const struct pv_json *value)
{
	size_t most = giving->given->ceilings.rows;
	size_t count = pv_json_page_kind(value) == PV_JSON_ARRAY
			   ? pv_json_page_count(value)
			   : 1;
	if (count <= most)
		return count;
	tell(giving, field, PV_FIELD_MANY, PV_STR(""));
	return most;
}

static const struct pv_json *item_of(const struct pv_json *value, size_t index)
{
	return pv_json_page_kind(value) == PV_JSON_ARRAY
		   ? pv_json_at(value, index)
		   : value;
}

static bool read_many(const struct giving *giving, const struct pv_field *field,
    const struct pv_json *value, struct pv_cell *cell)
{
	size_t most = count_of(giving, field, value), count = 0;
	struct pv_cell *items =
	    pv_arena_give_array(&giving->rows->arena, most, sizeof(*items));
	for (size_t i = 0; i < most; i++)
		count +=
		    read_value(giving, field, item_of(value, i), &items[count]);
	*cell = (struct pv_cell){
	    .kind = PV_CELL_LIST, .items = items, .count = count};
	return count > 0;
}

static bool read_plain(const struct giving *giving,
    const struct pv_field *field, const struct pv_json *value,
    struct pv_cell *cell)
{
	size_t told = giving->rows->problem_count;
	bool has_value =
	    value && (field->is_many ? read_many(giving, field, value, cell)
				     : read_value(giving, field, value, cell));
	if (!value && field->is_many)
		cell->kind = PV_CELL_LIST;
	if (has_value)
		return true;
	if (giving->rows->problem_count == told && field->is_required &&
	    !field->preset)
		tell(giving, field, PV_FIELD_NOTHING, PV_STR(""));
	return pv_field_without_value(field, &giving->rows->arena, cell);
}

/* Records */

static bool read_fields(const struct giving *giving,
    const struct pv_field *fields, size_t count, const struct pv_json *object,
    struct pv_cell **cells);

static bool read_records(const struct giving *giving,
    const struct pv_field *field, const struct pv_json *value,
    struct pv_cell *cell)
{
	size_t most = value ? count_of(giving, field, value) : 0, count = 0;
	struct pv_cell *items =
	    pv_arena_give_array(&giving->rows->arena, most, sizeof(*items));
	for (size_t i = 0; i < most; i++) {
		const struct pv_json *record = item_of(value, i);
		struct giving within = *giving;
		within.outer = field->name;
		items[count] = (struct pv_cell){
		    .kind = PV_CELL_RECORD, .count = field->field_count};
		if (pv_json_page_kind(record) != PV_JSON_OBJECT)
			tell(giving, field, PV_FIELD_WRONG,
			    pv_rows_detail(
				giving->rows, pv_json_page_text(record)));
		else
			count += read_fields(&within, field->fields,
			    field->field_count, record, &items[count].items);
	}
	*cell = (struct pv_cell){
	    .kind = PV_CELL_RECORDS, .items = items, .count = count};
	return count || !field->is_required;
}

static bool read_field(const struct giving *giving,
    const struct pv_field *field, const struct pv_json *object,
    struct pv_cell *cell)
{
	const struct pv_json *value =
	    pv_json_page_member(object, pv_str_of(field->name));
	bool is_right = field->field_count
			    ? read_records(giving, field, value, cell)
			    : read_plain(giving, field, value, cell);
	if (!is_right && !giving->outer && !giving->why->len)
		pv_buf_append_format(giving->why,
		    "the field \"%s\" of \"%s\" is required, and has no value",
		    field->name, giving->given->kind->name);
	return is_right;
}

/* All of them, so that each problem is told; false if a required one is
 * missing. */
static bool read_fields(const struct giving *giving,
    const struct pv_field *fields, size_t count, const struct pv_json *object,
    struct pv_cell **cells)
{
	bool is_whole = true;
	*cells =
	    pv_arena_give_array(&giving->rows->arena, count, sizeof(**cells));
	for (size_t i = 0; i < count; i++)
		is_whole =
		    read_field(giving, &fields[i], object, &(*cells)[i]) &&
		    is_whole;
	return is_whole;
}

/* The row */

static bool has_room(const struct giving *giving)
{
	const struct pv_rows *rows = giving->rows;
	size_t most = giving->given->ceilings.rows;
	if (rows->count < most && rows->arena.bytes <= PV_ROWS_BYTES_MAX)
		return true;
	if (rows->count >= most)
		pv_buf_append_format(giving->why,
		    "a page has at most %zu rows (output.fields.max_rows)",
		    most);
	else
		pv_buf_append_text(
		    giving->why, "the rows of a page have at most 32 MiB");
	return false;
}

static bool add(const struct giving *giving, const struct pv_json *object)
{
	const struct pv_page_kind *kind = giving->given->kind;
	struct pv_row row = {.item = giving->item};
	if (!are_names_known(giving, kind->fields, kind->field_count, object) ||
	    !read_fields(
		giving, kind->fields, kind->field_count, object, &row.cells))
		return false;
	row.carried = pv_cells_read_carry(
	    giving->given->carry, &kind->carried, &giving->rows->arena);
	pv_rows_add(giving->rows, &row);
	giving->rows->has_given = true;
	return true;
}

bool pv_rows_give(const struct pv_given_row *given, struct pv_str json,
    struct pv_rows *rows, struct pv_buf *why)
{
	const struct giving giving = {
	    .given = given,
	    .rows = rows,
	    .item = rows->count ? rows->items[rows->count - 1].item + 1 : 1,
	    .why = why,
	};
	struct pv_json *value = pv_json_read_page(json);
	bool is_object = value && pv_json_page_kind(value) == PV_JSON_OBJECT;
	if (!is_object)
		pv_buf_append_text(why, value ? "the JSON is no object"
					      : "what was given is no JSON");
	bool is_added = is_object && has_room(&giving) && add(&giving, value);
	pv_json_destroy(value);
	return is_added;
}
