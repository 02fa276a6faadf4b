#include "fields/output/layout.h"

#include "fields/row_facts.h"

size_t pv_kind_record_count(const struct pv_page_kind *kind)
{
	size_t count = 0;
	for (size_t i = 0; i < kind->field_count; i++)
		count += pv_field_is_records(&kind->fields[i]);
	return count;
}

/* Files */

static size_t add_file(struct pv_fields_layout *layout,
    const struct pv_fields_file *file, const char *stem, const char *ending)
{
	struct pv_fields_file *added = &layout->files[layout->file_count];
	*added = *file;
	added->name = pv_arena_format(&layout->arena, "%s/%s%s%s%s",
	    PV_FIELDS_DIRECTORY, stem, file->field ? "." : "",
	    file->field ? file->field->name : "", ending);
	layout->names[layout->file_count] = added->name;
	return layout->file_count++;
}

static size_t add_csv(
    struct pv_fields_layout *layout, const struct pv_page_kind *kind)
{
	struct pv_fields_file file = {.kind = kind};
	size_t place = add_file(layout, &file, kind->name, ".csv");
	for (size_t i = 0; i < kind->field_count; i++) {
		file.field = &kind->fields[i];
		if (pv_field_is_records(file.field))
			add_file(layout, &file, kind->name, ".csv");
	}
	return place;
}

/* Tables */

struct columns {
	struct pv_rows_column *items;
	size_t count;
};

static void add_column(
    struct columns *columns, const char *name, enum pv_rows_type type)
{
	columns->items[columns->count++] = (struct pv_rows_column){name, type};
}

/* Of what has no single value there is JSON. */
static enum pv_rows_type type_of(const struct pv_field *field)
{
	if (field->is_many || pv_field_is_records(field))
		return PV_ROWS_TEXT;
	switch (field->form.type) {
	case PV_VALUE_INTEGER:
	case PV_VALUE_BOOL:
		return PV_ROWS_ANY;
	case PV_VALUE_NUMBER:
		return PV_ROWS_REAL;
	default:
		return PV_ROWS_TEXT;
	}
}

static struct columns columns_for(struct pv_fields_layout *layout, size_t count)
{
	return (struct columns){pv_arena_give_array(&layout->arena, count,
				    sizeof(struct pv_rows_column)),
	    0};
}

static size_t add_table(struct pv_fields_layout *layout, const char *name,
    const char *part, const struct columns *columns)
{
	layout->tables[layout->table_count] = (struct pv_rows_table){
	    .name = name,
	    .part = part,
	    .columns = columns->items,
	    .count = columns->count,
	};
	return layout->table_count++;
}

static void add_record_table(struct pv_fields_layout *layout,
    const struct pv_page_kind *kind, const struct pv_field *field)
{
	struct columns columns = columns_for(layout, 3 + field->field_count);
	add_column(&columns, "_url", PV_ROWS_TEXT);
	add_column(&columns, "_item", PV_ROWS_ANY);
	add_column(&columns, "_record", PV_ROWS_ANY);
	for (size_t i = 0; i < field->field_count; i++)
		add_column(&columns, field->fields[i].name,
		    type_of(&field->fields[i]));
	add_table(layout, kind->name, field->name, &columns);
}

static size_t add_tables(
    struct pv_fields_layout *layout, const struct pv_page_kind *kind)
{
	struct columns columns =
	    columns_for(layout, 5 + kind->carried.count + kind->field_count);
	add_column(&columns, "_url", PV_ROWS_TEXT);
	add_column(&columns, "_item", PV_ROWS_ANY);
	add_column(&columns, "_time", PV_ROWS_TEXT);
	add_column(&columns, "_digest", PV_ROWS_TEXT);
	add_column(&columns, "_change", PV_ROWS_TEXT);
	for (size_t i = 0; i < kind->carried.count; i++)
		add_column(&columns, kind->carried.items[i], PV_ROWS_ANY);
	for (size_t i = 0; i < kind->field_count; i++)
		if (!pv_field_is_records(&kind->fields[i]))
			add_column(&columns, kind->fields[i].name,
			    type_of(&kind->fields[i]));
	size_t place = add_table(layout, kind->name, NULL, &columns);
	for (size_t i = 0; i < kind->field_count; i++)
		if (pv_field_is_records(&kind->fields[i]))
			add_record_table(layout, kind, &kind->fields[i]);
	return place;
}

/* All of them */

static void add_kind(struct pv_fields_layout *layout, size_t number)
{
	const struct pv_page_kind *kind = &layout->pages->items[number];
	const struct pv_fields_file json = {.kind = NULL};
	struct pv_kind_places *places = &layout->kinds[number];
	*places = (struct pv_kind_places){
	    PV_PLACE_NONE, PV_PLACE_NONE, PV_PLACE_NONE};
	if (!kind->field_count)
		return;
	if (layout->forms & PV_FIELDS_JSONL)
		places->json = add_file(layout, &json, kind->name, ".jsonl");
	if (layout->forms & PV_FIELDS_CSV)
		places->csv = add_csv(layout, kind);
	if (layout->forms & PV_FIELDS_SQLITE)
		places->table = add_tables(layout, kind);
}

static void make_room(struct pv_fields_layout *layout)
{
	size_t count = 0;
	for (size_t i = 0; i < layout->pages->count; i++)
		count += 1 + pv_kind_record_count(&layout->pages->items[i]);
	size_t files = 1 + layout->pages->count + count;
	struct pv_arena *arena = &layout->arena;
	layout->files =
	    pv_arena_give_array(arena, files, sizeof(*layout->files));
	layout->names =
	    pv_arena_give_array(arena, files + 1, sizeof(*layout->names));
	layout->tables =
	    pv_arena_give_array(arena, count + 1, sizeof(*layout->tables));
	layout->kinds = pv_arena_give_array(
	    arena, layout->pages->count + 1, sizeof(*layout->kinds));
}

void pv_fields_layout_init(
    struct pv_fields_layout *layout, const struct pv_policy *policy)
{
	const struct pv_fields_file problems = {.kind = NULL};
	*layout = (struct pv_fields_layout){
	    .pages = &policy->pages,
	    .forms = policy->output.fields.forms,
	};
	pv_arena_init(&layout->arena);
	make_room(layout);
	layout->problems = add_file(layout, &problems, "problems", ".jsonl");
	for (size_t i = 0; i < layout->pages->count; i++)
		add_kind(layout, i);
}

void pv_fields_layout_finish(struct pv_fields_layout *layout)
{
	pv_arena_finish(&layout->arena);
}
