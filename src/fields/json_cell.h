#ifndef PAVANE_FIELDS_JSON_CELL_H
#define PAVANE_FIELDS_JSON_CELL_H

#include "base/arena.h"
#include "fields/cell.h"
#include "policy/values/texts.h"

/* Cells from JSON that we or a policy have written: a field's default, and what
 * a link carries. */

struct pv_json;

/* Of JSON of a page: a text is a text, a number one. */
struct pv_cell pv_cell_of_json(
    const struct pv_json *value, struct pv_arena *arena);

/* False if it is no JSON. An object is JSON again, an array a list. */
bool pv_cell_read_json(
    struct pv_str text, struct pv_arena *arena, struct pv_cell *cell);

/* The members of those names of an object, in the order of the names: what is
 * missing is PV_CELL_NULL. */
struct pv_cell *pv_cells_read_carry(
    struct pv_str text, const struct pv_texts *names, struct pv_arena *arena);

#endif
