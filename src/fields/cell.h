#ifndef PAVANE_FIELDS_CELL_H
#define PAVANE_FIELDS_CELL_H

#include <stddef.h>

#include "base/str.h"

/* A value of a row, as all outputs write it.
 *
 * All texts and items live in one arena, the page's. A cell never changes once
 * it is made.
 */
enum pv_cell_kind {
	PV_CELL_NULL,
	PV_CELL_TEXT,    /* UTF-8, perhaps with NULs; text is its value */
	PV_CELL_INTEGER, /* text is its digits, as JSON has them: -12 */
	PV_CELL_NUMBER,  /* text is it as JSON has it: 12.50 */
	PV_CELL_BOOL,    /* text is "true" or "false" */
	PV_CELL_JSON,    /* text is any JSON, on one line */
	PV_CELL_LIST,    /* of a field that is `many`: items are values */
	PV_CELL_RECORDS, /* records within: items are of PV_CELL_RECORD */
	PV_CELL_RECORD,  /* items are its fields' values, in their order */
};

struct pv_cell {
	enum pv_cell_kind kind;
	struct pv_str text;
	struct pv_cell *items;
	size_t count;
};

#endif
