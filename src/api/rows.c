#include <stdlib.h>

#include "base/array.h"
#include "base/alloc.h"
#include "base/json.h"
#include "fields/rows.h"
#include "pavane/pavane.h"
#include "store/state_look.h"
#include "store/tables/field_faults.h"
#include "store/tables/page_rows.h"

/* The rows of a crawl, counted. */
struct reading {
	struct pavane_rows *rows;
	size_t count_size;
	size_t fault_size;
};

static char *text_of(struct pv_str text)
{
	char *copy = pv_alloc(text.len + 1);
	for (size_t i = 0; i < text.len; i++)
		copy[i] = text.ptr[i];
	return copy;
}

static void on_count(
    void *ctx, struct pv_str kind, uint64_t pages, uint64_t rows)
{
	struct reading *reading = ctx;
	*PV_ARRAY_PUSH(
	    reading->rows->counts, reading->rows->count, reading->count_size) =
	    (struct pavane_row_count){text_of(kind), pages, rows};
}

static void on_fault(void *ctx, const struct pv_field_fault_count *fault)
{
	struct reading *reading = ctx;
	*PV_ARRAY_PUSH(reading->rows->faults, reading->rows->fault_count,
	    reading->fault_size) = (struct pavane_field_fault){
	    .kind = text_of(fault->kind),
	    .field = fault->field.len ? text_of(fault->field) : NULL,
	    .why = pv_field_fault_word((enum pv_field_fault)fault->fault),
	    .count = fault->count,
	};
}

struct pavane_rows *pavane_rows_read(const char *directory)
{
	struct reading reading = {NULL};
	struct pv_why why;
	pv_why_init(&why);
	struct pv_database *database = pv_state_look(directory, &why);
	if (database) {
		reading.rows = pv_alloc(sizeof(*reading.rows));
		pv_page_rows_each_count(database, on_count, &reading);
		pv_field_faults_each(database, on_fault, &reading);
	}
	pv_database_close(database);
	pv_why_finish(&why);
	return reading.rows;
}

void pavane_rows_destroy(struct pavane_rows *rows)
{
	if (!rows)
		return;
	for (size_t i = 0; i < rows->count; i++)
		free((char *)(uintptr_t)rows->counts[i].kind);
	for (size_t i = 0; i < rows->fault_count; i++) {
		free((char *)(uintptr_t)rows->faults[i].kind);
		free((char *)(uintptr_t)rows->faults[i].field);
	}
	free(rows->counts);
	free(rows->faults);
	free(rows);
}

void pavane_rows_write_json(
    const struct pavane_rows *rows, pavane_write_fn write, void *ctx)
{
	struct pv_json *all = pv_json_object();
	struct pv_json *kinds = pv_json_array();
	struct pv_json *problems = pv_json_array();
	struct pv_buf text;
	for (size_t i = 0; i < rows->count; i++) {
		struct pv_json *kind = pv_json_object();
		pv_json_set_text(kind, "kind", rows->counts[i].kind);
		pv_json_set(kind, "pages",
		    pv_json_integer((int64_t)rows->counts[i].pages));
		pv_json_set(kind, "rows",
		    pv_json_integer((int64_t)rows->counts[i].rows));
		pv_json_add(kinds, kind);
	}
	for (size_t i = 0; i < rows->fault_count; i++) {
		const struct pavane_field_fault *fault = &rows->faults[i];
		struct pv_json *problem = pv_json_object();
		pv_json_set_text(problem, "kind", fault->kind);
		if (fault->field)
			pv_json_set_text(problem, "field", fault->field);
		pv_json_set_text(problem, "why", fault->why);
		pv_json_set(
		    problem, "count", pv_json_integer((int64_t)fault->count));
		pv_json_add(problems, problem);
	}
	pv_json_set(all, "kinds", kinds);
	pv_json_set(all, "problems", problems);
	pv_buf_init(&text, SIZE_MAX);
	pv_json_write(all, false, &text);
	write(ctx, pv_buf_text(&text), text.len);
	pv_buf_finish(&text);
	pv_json_destroy(all);
}
