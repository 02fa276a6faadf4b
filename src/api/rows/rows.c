#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/json/json.h"
#include "fields/rows.h"
#include "mirror/kept/kept_state.h"
#include "pavane/pavane.h"
#include "policy/policy.h"
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
	*PV_ARRAY_PUSH(reading->rows->counts, reading->rows->count,
	    reading->count_size) = (struct pavane_row_count){
	    .kind = text_of(kind), .pages = pages, .rows = rows};
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

static bool is_told(const struct pavane_rows *rows, const char *kind)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (strcmp(rows->counts[i].kind, kind) == 0)
			return true;
	}
	for (size_t i = 0; i < rows->fault_count; i++) {
		if (strcmp(rows->faults[i].kind, kind) == 0)
			return true;
	}
	return false;
}

/* Of these nothing stands in the state. */
static void add_missing(struct reading *reading, const struct pv_pages *pages)
{
	struct pavane_rows *rows = reading->rows;
	for (size_t i = 0; i < pages->count; i++) {
		const struct pv_page_kind *kind = &pages->items[i];
		if (!kind->field_count || is_told(rows, kind->name))
			continue;
		*PV_ARRAY_PUSH(rows->counts, rows->count, reading->count_size) =
		    (struct pavane_row_count){
			.kind = text_of(pv_str_of(kind->name)),
			.has_match = kind->match.count > 0};
	}
}

struct pavane_rows *pavane_rows_read(const char *directory)
{
	struct reading reading = {NULL};
	struct pv_why why;
	pv_why_init(&why);
	struct pv_kept_state *state = pv_kept_state_open(directory, &why);
	if (state) {
		reading.rows = pv_alloc(sizeof(*reading.rows));
		pv_page_rows_each_count(state->database, on_count, &reading);
		pv_field_faults_each(state->database, on_fault, &reading);
		add_missing(&reading, &state->policy->pages);
	}
	pv_kept_state_close(state);
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
