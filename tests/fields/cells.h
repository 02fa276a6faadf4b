#ifndef PAVANE_TESTS_FIELDS_CELLS_H
#define PAVANE_TESTS_FIELDS_CELLS_H

#include "fields/cell.h"

/* Cells and kinds of pages, made by hand. */
#define CELL_NULL ((struct pv_cell){.kind = PV_CELL_NULL})
#define CELL_TEXT(literal) \
	((struct pv_cell){.kind = PV_CELL_TEXT, .text = PV_STR(literal)})
#define CELL_INTEGER(literal) \
	((struct pv_cell){.kind = PV_CELL_INTEGER, .text = PV_STR(literal)})
#define CELL_NUMBER(literal) \
	((struct pv_cell){.kind = PV_CELL_NUMBER, .text = PV_STR(literal)})
#define CELL_BOOL(literal) \
	((struct pv_cell){.kind = PV_CELL_BOOL, .text = PV_STR(literal)})
#define CELL_JSON(literal) \
	((struct pv_cell){.kind = PV_CELL_JSON, .text = PV_STR(literal)})
#define CELL_ITEMS(which, array)           \
	((struct pv_cell){.kind = (which), \
	    .items = (array),              \
	    .count = sizeof(array) / sizeof(*(array))})
#define CELL_LIST(array) CELL_ITEMS(PV_CELL_LIST, array)
#define CELL_RECORDS(array) CELL_ITEMS(PV_CELL_RECORDS, array)
#define CELL_RECORD(array) CELL_ITEMS(PV_CELL_RECORD, array)

#endif
