#include "fields/extract.h"

#include <string.h>

#include "base/array.h"
#include "fields/finds.h"
#include "fields/json_cell.h"
#include "fields/rows.h"
#include "fields/value.h"

/* One row, or one record within it, as its fields are read. */
struct extraction {
	struct pv_row_page *page;
	struct pv_rows *rows;
	const struct pv_find *context; /* NULL: all of the page */
	const char *outer;             /* the field whose records they are */
	uint32_t item;
	struct pv_arena *scratch; /* of the field that is read */
};

/* Why there is no value, and the text that is none. */
struct fault {
	enum pv_field_fault kind;
	struct pv_str text;
};

static void tell(const struct extraction *extraction,
    const struct pv_field *field, enum pv_field_fault fault,
    struct pv_str detail)
{
	struct pv_rows *rows = extraction->rows;
	struct pv_field_problem problem = {
	    .field = field->name,
	    .fault = fault,
	    .item = extraction->item,
	    .is_required = field->is_required,
	    .detail = detail,
	};
	if (extraction->outer)
		problem.field = pv_arena_format(
		    &rows->arena, "%s.%s", extraction->outer, field->name);
	pv_rows_add_problem(rows, &problem);
}

/* Values */

/* What was found as a value; false, with the fault, if it is none. */
static bool convert(const struct extraction *extraction,
    const struct pv_field *field, const struct pv_find *find,
    struct pv_cell *cell, struct fault *fault)
{
	struct pv_row_page *page = extraction->page;
	if (extraction->rows->arena.bytes > PV_ROWS_BYTES_MAX) {
		fault->kind = PV_FIELD_MANY;
		return false;
	}
	const struct pv_field_reader *reader =
	    &page->readers->items[field->number];
	const struct pv_field_page values = {
	    .arena = &extraction->rows->arena,
	    .base = field->form.type == PV_VALUE_URL ? pv_row_page_base(page)
						     : NULL,
	    .encoder = page->encoder,
	    .len_max = page->ceilings.value_bytes,
	};
	if (find->kind == PV_FIND_JSON) {
		fault->text = pv_json_page_text(find->json);
		if (!pv_field_value_read_json(
			reader, &values, find->json, cell, &fault->kind))
			return false;
		if (field->form.type == PV_VALUE_JSON)
			*cell = pv_cell_of_json(find->json, values.arena);
		return true;
	}
	if (pv_find_text(find, page, field->form.type == PV_VALUE_HTML,
		extraction->scratch, &fault->text))
		return pv_field_value_read(
		    reader, &values, fault->text, cell, &fault->kind);
	fault->kind = PV_FIELD_GAVE_UP;
	return false;
}

/* An empty text is no value. */
static bool read_value(const struct extraction *extraction,
    const struct pv_field *field, const struct pv_find *find,
    struct pv_cell *cell)
{
	struct fault fault = {.kind = PV_FIELD_NOTHING};
	bool is_value = convert(extraction, field, find, cell, &fault);
	if (!is_value && fault.kind != PV_FIELD_NOTHING)
		tell(extraction, field, fault.kind,
		    fault.kind == PV_FIELD_WRONG
			? pv_rows_detail(extraction->rows, fault.text)
			: PV_STR(""));
	return is_value && (cell->kind != PV_CELL_TEXT || cell->text.len);
}

static bool read_many(const struct extraction *extraction,
    const struct pv_field *field, const struct pv_finds *finds,
    struct pv_cell *cell)
{
	struct pv_cell *items = pv_arena_give_array(
	    &extraction->rows->arena, finds->count, sizeof(*items));
	size_t count = 0;
	for (size_t i = 0; i < finds->count; i++)
		count += read_value(
		    extraction, field, &finds->items[i], &items[count]);
	if (finds->is_full)
		tell(extraction, field, PV_FIELD_MANY, PV_STR(""));
	*cell = (struct pv_cell){
	    .kind = PV_CELL_LIST, .items = items, .count = count};
	return count > 0;
}

static bool read_first(const struct extraction *extraction,
    const struct pv_field *field, const struct pv_finds *finds,
    struct pv_cell *cell)
{
	return finds->count &&
	       read_value(extraction, field, &finds->items[0], cell);
}

bool pv_field_without_value(
    const struct pv_field *field, struct pv_arena *arena, struct pv_cell *cell)
{
	struct pv_cell preset = {.kind = PV_CELL_NULL};
	if (field->preset)
		pv_cell_read_json(pv_str_of(field->preset), arena, &preset);
	if (!field->is_many) {
		*cell = preset;
	} else if (field->preset) {
		cell->items = pv_arena_give(arena, sizeof(preset));
		*cell->items = preset;
		cell->count = 1;
	}
	return field->preset || !field->is_required;
}

static bool read_plain(const struct extraction *extraction,
    const struct pv_field *field, struct pv_finds *finds, struct pv_cell *cell)
{
	size_t told = extraction->rows->problem_count;
	bool has_value = field->is_many
			     ? read_many(extraction, field, finds, cell)
			     : read_first(extraction, field, finds, cell);
	if (has_value)
		return true;
	bool is_told = extraction->rows->problem_count > told;
	if (!is_told && finds->has_given_up)
		tell(extraction, field, PV_FIELD_GAVE_UP, PV_STR(""));
	else if (!is_told && !field->preset)
		tell(extraction, field, PV_FIELD_NOTHING, PV_STR(""));
	return pv_field_without_value(field, &extraction->rows->arena, cell);
}

/* Records */

static bool read_fields(const struct extraction *extraction,
    const struct pv_field *fields, size_t count, struct pv_cell **cells);

static bool read_records(const struct extraction *extraction,
    const struct pv_field *field, const struct pv_finds *finds,
    struct pv_cell *cell)
{
	struct pv_arena *arena = &extraction->rows->arena;
	struct pv_cell *items =
	    pv_arena_give_array(arena, finds->count, sizeof(*items));
	size_t count = 0;
	for (size_t i = 0; i < finds->count; i++) {
		struct extraction within = *extraction;
		within.context = &finds->items[i];
		within.outer = field->name;
		items[count] = (struct pv_cell){
		    .kind = PV_CELL_RECORD, .count = field->field_count};
		count += read_fields(&within, field->fields, field->field_count,
		    &items[count].items);
	}
	if (finds->is_full)
		tell(extraction, field, PV_FIELD_MANY, PV_STR(""));
	if (finds->has_given_up)
		tell(extraction, field, PV_FIELD_GAVE_UP, PV_STR(""));
	else if (!count)
		tell(extraction, field, PV_FIELD_NOTHING, PV_STR(""));
	*cell = (struct pv_cell){
	    .kind = PV_CELL_RECORDS, .items = items, .count = count};
	return count || !field->is_required;
}

static bool read_field(const struct extraction *extraction,
    const struct pv_field *field, struct pv_cell *cell)
{
	struct pv_arena scratch;
	struct extraction own = *extraction;
	struct pv_finds finds;
	/* Of what is found the first alone counts, unless a regular expression
	 * chooses among them. */
	bool is_one =
	    !field->is_many && !field->field_count && !field->source.regex;
	own.scratch = &scratch;
	pv_arena_init(&scratch);
	pv_finds_init(&finds, is_one ? 1 : extraction->page->ceilings.rows);
	pv_finds_read(&finds, extraction->page, &field->source,
	    extraction->context, &scratch);
	bool is_right = field->field_count
			    ? read_records(&own, field, &finds, cell)
			    : read_plain(&own, field, &finds, cell);
	pv_finds_finish(&finds);
	pv_arena_finish(&scratch);
	return is_right;
}

/* All fields are read, so that each problem is told; false if a required one
 * is missing. */
static bool read_fields(const struct extraction *extraction,
    const struct pv_field *fields, size_t count, struct pv_cell **cells)
{
	bool is_whole = true;
	*cells = pv_arena_give_array(
	    &extraction->rows->arena, count, sizeof(**cells));
	for (size_t i = 0; i < count; i++)
		is_whole = read_field(extraction, &fields[i], &(*cells)[i]) &&
			   is_whole;
	return is_whole;
}

/* Rows */

static void add_row(struct extraction *extraction, struct pv_cell *carried)
{
	const struct pv_page_kind *kind = extraction->page->kind;
	struct pv_row row = {.item = extraction->item, .carried = carried};
	if (read_fields(
		extraction, kind->fields, kind->field_count, &row.cells))
		pv_rows_add(extraction->rows, &row);
}

static void tell_page(struct pv_rows *rows, enum pv_field_fault fault)
{
	const struct pv_field_problem problem = {.fault = fault};
	pv_rows_add_problem(rows, &problem);
}

static void add_each(struct extraction *extraction, struct pv_cell *carried)
{
	struct pv_row_page *page = extraction->page;
	struct pv_finds finds;
	pv_finds_init(&finds, page->ceilings.rows);
	pv_finds_read(
	    &finds, page, &page->kind->each, NULL, &extraction->rows->arena);
	for (size_t i = 0; i < finds.count; i++) {
		extraction->context = &finds.items[i];
		extraction->item = (uint32_t)i + 1;
		add_row(extraction, carried);
	}
	if (finds.is_full)
		tell_page(extraction->rows, PV_FIELD_MANY);
	if (finds.has_given_up)
		tell_page(extraction->rows, PV_FIELD_GAVE_UP);
	pv_finds_finish(&finds);
}

void pv_rows_extract(struct pv_row_page *page, struct pv_rows *rows)
{
	const struct pv_page_kind *kind = page->kind;
	struct extraction extraction = {.page = page, .rows = rows, .item = 1};
	struct pv_cell *carried =
	    pv_cells_read_carry(page->carry, &kind->carried, &rows->arena);
	if (kind->has_each)
		add_each(&extraction, carried);
	else if (kind->field_count)
		add_row(&extraction, carried);
	if (page->is_cut)
		tell_page(rows, PV_FIELD_CUT_PAGE);
}
