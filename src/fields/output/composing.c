#include "fields/output/composing.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "fields/item_runs.h"
#include "fields/output/packed.h"
#include "fields/output/row_part.h"
#include "fields/problem_json.h"
#include "fields/row_csv.h"
#include "fields/row_json.h"
#include "sink/line_parts.h"

/* Of all that is composed, so much is kept for problems, and so much for what
 * stands at the end; so many runs of rows are sure to have room there. */
#define PROBLEMS_BYTES ((size_t)2 << 20)
#define END_BYTES ((size_t)512 << 10)
#define RUNS_MAX 20000

struct composer {
	const struct pv_fields_layout *layout;
	const struct pv_page *page;
	const struct pv_rows *rows;
	const struct pv_page_kind *kind;
	const struct pv_kind_places *places;
	struct pv_buf url;
	struct pv_buf values; /* of the row in hand, as JSON */
	struct pv_digester *digester;
	struct pv_item_runs runs;
	struct pv_row_summary summary;
	struct pv_buf *part;
};

void pv_fields_compose_url(const struct pv_page *page, struct pv_buf *url)
{
	pv_buf_init(url, SIZE_MAX);
	pv_line_append_url(url, page->visit->url);
}

static struct pv_row_facts facts_of(
    const struct composer *composer, size_t item)
{
	return pv_row_facts_of(
	    composer->page, pv_buf_str(&composer->url), (uint32_t)item);
}

/* Lines */

static void add_json(
    struct composer *composer, const struct pv_row_facts *facts)
{
	struct pv_buf *part = composer->part;
	size_t start = pv_row_piece_begin(part);
	pv_row_json_write_facts(facts, part);
	pv_row_piece_split(part, start);
	pv_buf_append(part, pv_buf_str(&composer->values));
	pv_row_piece_end(
	    part, start, PV_PIECE_JSON, composer->places->json, facts->item);
}

static void add_csv_records(struct composer *composer,
    const struct pv_row_facts *facts, const struct pv_row *row)
{
	struct pv_buf *part = composer->part;
	size_t target = composer->places->csv;
	for (size_t i = 0; i < composer->kind->field_count; i++) {
		const struct pv_field *field = &composer->kind->fields[i];
		if (!pv_field_is_records(field))
			continue;
		target++;
		for (size_t j = 0; j < row->cells[i].count; j++) {
			size_t start = pv_row_piece_begin(part);
			pv_row_csv_write_record(facts, (uint32_t)j + 1, field,
			    &row->cells[i].items[j], part);
			pv_row_piece_end(
			    part, start, PV_PIECE_RECORD, target, facts->item);
		}
	}
}

static void add_csv(struct composer *composer, const struct pv_row_facts *facts,
    const struct pv_row *row)
{
	struct pv_buf *part = composer->part;
	size_t start = pv_row_piece_begin(part);
	pv_row_csv_write_facts(facts, part);
	pv_row_piece_split(part, start);
	pv_row_csv_write_values(composer->kind, row, part);
	pv_row_piece_end(
	    part, start, PV_PIECE_CSV, composer->places->csv, facts->item);
	add_csv_records(composer, facts, row);
}

/* Rows of tables */

static void pack_time(const struct pv_row_facts *facts, struct pv_buf *part)
{
	struct pv_buf text;
	pv_buf_init(&text, 256);
	pv_line_append_time(&text, facts->wall_ms);
	pv_packed_add_text(pv_buf_str(&text), part);
	pv_buf_clear(&text);
	pv_row_facts_write_digest(facts, &text);
	if (text.len)
		pv_packed_add_text(pv_buf_str(&text), part);
	else
		pv_packed_add_null(part);
	pv_buf_finish(&text);
}

static void add_record_row(struct composer *composer,
    const struct pv_row_facts *facts, const struct pv_field *field,
    const struct pv_cell *records, size_t target)
{
	struct pv_buf *part = composer->part;
	for (size_t i = 0; i < records->count; i++) {
		const struct pv_cell *record = &records->items[i];
		size_t start = pv_row_piece_begin(part);
		pv_packed_add_text(facts->url, part);
		pv_packed_add_number(facts->item, part);
		pv_packed_add_number((int64_t)i + 1, part);
		for (size_t j = 0; j < field->field_count; j++)
			pv_packed_add_cell(
			    &record->items[j], &field->fields[j], part);
		pv_row_piece_end(
		    part, start, PV_PIECE_RECORD_ROW, target, facts->item);
	}
}

static void add_record_rows(struct composer *composer,
    const struct pv_row_facts *facts, const struct pv_row *row)
{
	size_t target = composer->places->table;
	for (size_t i = 0; i < composer->kind->field_count; i++) {
		const struct pv_field *field = &composer->kind->fields[i];
		if (pv_field_is_records(field))
			add_record_row(
			    composer, facts, field, &row->cells[i], ++target);
	}
}

static void add_row(struct composer *composer, const struct pv_row_facts *facts,
    const struct pv_row *row)
{
	const struct pv_page_kind *kind = composer->kind;
	struct pv_buf *part = composer->part;
	size_t start = pv_row_piece_begin(part);
	pv_packed_add_text(facts->url, part);
	pv_packed_add_number(facts->item, part);
	pack_time(facts, part);
	pv_row_piece_split(part, start);
	for (size_t i = 0; i < kind->carried.count; i++)
		pv_packed_add_cell(&row->carried[i], NULL, part);
	for (size_t i = 0; i < kind->field_count; i++)
		if (!pv_field_is_records(&kind->fields[i]))
			pv_packed_add_cell(
			    &row->cells[i], &kind->fields[i], part);
	pv_row_piece_end(
	    part, start, PV_PIECE_ROW, composer->places->table, facts->item);
	add_record_rows(composer, facts, row);
}

/* All rows */

static void digest_row(struct composer *composer, uint32_t item)
{
	pv_digester_append(composer->digester,
	    (struct pv_str){(const char *)&item, sizeof(item)});
	pv_digester_append(composer->digester, pv_buf_str(&composer->values));
}

/* In all forms, or in none. */
static bool compose_row(struct composer *composer, const struct pv_row *row)
{
	struct pv_row_facts facts = facts_of(composer, row->item);
	size_t start = composer->part->len;
	pv_buf_clear(&composer->values);
	pv_row_json_write_values(composer->kind, row, &composer->values);
	if (composer->places->json != PV_PLACE_NONE)
		add_json(composer, &facts);
	if (composer->places->csv != PV_PLACE_NONE)
		add_csv(composer, &facts, row);
	if (composer->places->table != PV_PLACE_NONE)
		add_row(composer, &facts, row);
	if (composer->part->is_full || composer->values.is_full ||
	    composer->runs.count == RUNS_MAX) {
		pv_buf_cut(composer->part, start);
		composer->part->is_full = false;
		return false;
	}
	digest_row(composer, row->item);
	pv_item_runs_add(&composer->runs, row->item);
	composer->summary.count++;
	return true;
}

/* Whether all of them had room. */
static bool compose_rows(struct composer *composer)
{
	bool has_room = true;
	composer->part->ceiling = PV_COMPOSED_MAX - PROBLEMS_BYTES - END_BYTES;
	for (size_t i = 0; has_room && i < composer->rows->count; i++)
		has_room = compose_row(composer, &composer->rows->items[i]);
	pv_digester_end(composer->digester, composer->summary.digest);
	return has_room;
}

/* Problems */

static const char *field_of(const struct pv_field_problem *problem)
{
	return problem->field ? problem->field : "";
}

static int compare(const void *a, const void *b)
{
	const struct pv_field_problem *one =
	    *(const struct pv_field_problem *const *)a;
	const struct pv_field_problem *other =
	    *(const struct pv_field_problem *const *)b;
	int order = strcmp(field_of(one), field_of(other));
	return order ? order : (int)one->fault - (int)other->fault;
}

/* Whether the piece that begins there had room; if not, it is taken out. */
static bool has_room_since(struct pv_buf *part, size_t start)
{
	if (!part->is_full)
		return true;
	pv_buf_cut(part, start);
	part->is_full = false;
	return false;
}

static void add_fault(struct composer *composer,
    const struct pv_field_problem *problem, size_t count)
{
	size_t start = pv_row_piece_begin(composer->part);
	pv_buf_append_text(composer->part, field_of(problem));
	pv_row_piece_end(composer->part, start, PV_PIECE_FAULT, problem->fault,
	    (uint32_t)count);
	has_room_since(composer->part, start);
}

/* How often each stands among them. */
static void add_faults(struct composer *composer,
    const struct pv_field_problem **problems, size_t count)
{
	size_t first = 0;
	qsort(problems, count, sizeof(*problems), compare);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && compare(&problems[first], &problems[i]) == 0)
			continue;
		add_fault(composer, problems[first], i - first);
		first = i;
	}
}

/* The line; where there is no room any more, it is only counted. */
static void add_problem(struct composer *composer,
    const struct pv_field_problem *problem, struct pv_str beginning)
{
	struct pv_buf *part = composer->part;
	size_t start = pv_row_piece_begin(part);
	pv_buf_append(part, beginning);
	size_t end = part->len;
	pv_problem_json_write(problem, part);
	pv_row_piece_end(part, start, PV_PIECE_PROBLEM,
	    composer->layout->problems, problem->item);
	if (has_room_since(part, start))
		pv_digester_append(
		    composer->digester, pv_str_from(pv_buf_str(part), end));
}

static void compose_each_problem(struct composer *composer,
    const struct pv_field_problem **problems, size_t count)
{
	struct pv_row_facts facts = facts_of(composer, 0);
	struct pv_buf beginning;
	uint8_t digest[PV_DIGEST_SIZE];
	pv_buf_init(&beginning, SIZE_MAX);
	pv_problem_json_write_facts(&facts, composer->kind->name, &beginning);
	for (size_t i = 0; i < count; i++)
		add_problem(composer, problems[i], pv_buf_str(&beginning));
	pv_digester_end(composer->digester, digest);
	memcpy(&composer->summary.problems, digest,
	    sizeof(composer->summary.problems));
	pv_buf_finish(&beginning);
}

static void compose_problems(struct composer *composer, bool has_room)
{
	static const struct pv_field_problem too_many = {
	    .fault = PV_FIELD_MANY};
	const struct pv_rows *rows = composer->rows;
	size_t count = 0;
	const struct pv_field_problem **problems =
	    pv_alloc_array(rows->problem_count + 1, sizeof(*problems));
	while (count < rows->problem_count) {
		problems[count] = &rows->problems[count];
		count++;
	}
	if (!has_room)
		problems[count++] = &too_many;
	composer->part->ceiling = PV_COMPOSED_MAX - END_BYTES;
	if (count)
		compose_each_problem(composer, problems, count);
	composer->part->ceiling = PV_COMPOSED_MAX;
	if (count)
		add_faults(composer, problems, count);
	free(problems);
}

/* The page */

static void compose(struct composer *composer)
{
	composer->digester = pv_digester_create();
	pv_buf_init(&composer->values, PV_COMPOSED_MAX);
	bool has_room = compose_rows(composer);
	compose_problems(composer, has_room);
	pv_digester_destroy(composer->digester);
	pv_buf_finish(&composer->values);
}

static void add_summary(struct composer *composer)
{
	struct pv_buf items;
	pv_buf_init(&items, SIZE_MAX);
	pv_item_runs_write(&composer->runs, &items);
	composer->part->ceiling = PV_COMPOSED_MAX + END_BYTES;
	pv_row_summary_add(
	    &composer->summary, pv_buf_str(&items), composer->part);
	pv_buf_finish(&items);
}

void pv_fields_compose(const struct pv_fields_layout *layout,
    const struct pv_page *page, struct pv_buf *part)
{
	const struct pv_rows *rows = page->rows;
	struct composer composer = {
	    .layout = layout, .page = page, .rows = rows, .part = part};
	pv_buf_clear(part);
	if (!rows)
		return;
	pv_fields_compose_url(page, &composer.url);
	pv_item_runs_init(&composer.runs);
	if (rows->has_kind && rows->kind < layout->pages->count) {
		composer.summary.has_kind = true;
		composer.summary.has_given = rows->has_given;
		composer.summary.kind = (uint32_t)rows->kind;
		composer.kind = &layout->pages->items[rows->kind];
		composer.places = &layout->kinds[rows->kind];
		compose(&composer);
	}
	add_summary(&composer);
	pv_item_runs_finish(&composer.runs);
	pv_buf_finish(&composer.url);
}
