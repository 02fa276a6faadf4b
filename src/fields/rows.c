#include "fields/rows.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/utf8.h"

const char *pv_field_fault_word(enum pv_field_fault fault)
{
	static const char *const words[PV_FIELD_FAULT_COUNT] = {
	    [PV_FIELD_NOTHING] = "nothing found",
	    [PV_FIELD_WRONG] = "wrong type",
	    [PV_FIELD_LONG] = "too long",
	    [PV_FIELD_GAVE_UP] = "took too long",
	    [PV_FIELD_MANY] = "too many",
	    [PV_FIELD_CUT_PAGE] = "page cut short",
	};
	return fault < PV_FIELD_FAULT_COUNT ? words[fault] : "unknown";
}

void pv_rows_init(struct pv_rows *rows)
{
	*rows = (struct pv_rows){.has_kind = false};
	pv_arena_init(&rows->arena);
}

void pv_rows_finish(struct pv_rows *rows)
{
	pv_arena_finish(&rows->arena);
	free(rows->items);
	free(rows->problems);
	*rows = (struct pv_rows){.has_kind = false};
}

void pv_rows_add(struct pv_rows *rows, const struct pv_row *row)
{
	*PV_ARRAY_PUSH(rows->items, rows->count, rows->size) = *row;
}

void pv_rows_add_problem(
    struct pv_rows *rows, const struct pv_field_problem *problem)
{
	struct pv_field_problem more = {.fault = PV_FIELD_MANY};
	if (rows->problem_count > PV_ROW_PROBLEMS_MAX)
		return;
	if (rows->problem_count < PV_ROW_PROBLEMS_MAX)
		more = *problem;
	*PV_ARRAY_PUSH(
	    rows->problems, rows->problem_count, rows->problem_size) = more;
}

#define DETAIL_MAX 100

struct pv_str pv_rows_detail(struct pv_rows *rows, struct pv_str text)
{
	return pv_arena_copy(&rows->arena, pv_utf8_head(text, DETAIL_MAX));
}
