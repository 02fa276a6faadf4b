#ifndef PAVANE_FIELDS_ROWS_H
#define PAVANE_FIELDS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/digest.h"
#include "fields/cell.h"

/* The rows of one page, and what is to be said of fields that have no value.
 *
 * Reading writes them, in a thread of the pool; from then on nobody does. All
 * texts and cells live in the arena. */

enum pv_field_fault {
	PV_FIELD_NOTHING,  /* its source has found nothing */
	PV_FIELD_WRONG,    /* what it found is no value of its type */
	PV_FIELD_LONG,     /* longer than a value may be */
	PV_FIELD_GAVE_UP,  /* evaluating it took too long */
	PV_FIELD_MANY,     /* more rows, or values, than a page may have */
	PV_FIELD_CUT_PAGE, /* the page was not read to its end */
	PV_FIELD_FAULT_COUNT,
};

/* "nothing found", ...: what problems.jsonl and status call it. */
const char *pv_field_fault_word(enum pv_field_fault fault);

struct pv_field_problem {
	const char *field; /* "reviews.stars"; NULL: the whole page */
	enum pv_field_fault fault;
	uint32_t item;        /* the row, from 1; 0: the whole page */
	bool is_required;     /* and so there is no such row */
	struct pv_str detail; /* the text that is no number; may be empty */
};

struct pv_row {
	uint32_t item;           /* from 1 */
	struct pv_cell *carried; /* as kind->carried names them; a missing one
				    is PV_CELL_NULL */
	struct pv_cell *cells;   /* as kind->fields names them */
};

struct pv_rows {
	struct pv_arena arena;
	bool has_kind;
	size_t kind; /* of the page, in the policy's order */
	struct pv_row *items;
	size_t count;
	size_t size;
	bool has_given; /* the program that runs the crawl gave some of them */
	struct pv_field_problem *problems;
	size_t problem_count;
	size_t problem_size;
};

void pv_rows_init(struct pv_rows *rows);
void pv_rows_finish(struct pv_rows *rows);

/* The memory of a page's values; what lies beyond it is left out. */
#define PV_ROWS_BYTES_MAX ((size_t)32 << 20)

/* A row or a problem more; what they point to lives in the arena. Of problems
 * as many are kept as a page may well have; one more tells of the others. */
#define PV_ROW_PROBLEMS_MAX 10000
void pv_rows_add(struct pv_rows *rows, const struct pv_row *row);
void pv_rows_add_problem(
    struct pv_rows *rows, const struct pv_field_problem *problem);

/* A copy of the beginning of a text, for a problem to quote. */
struct pv_str pv_rows_detail(struct pv_rows *rows, struct pv_str text);

#endif
