#ifndef PAVANE_FIELDS_OUTPUT_PACKED_H
#define PAVANE_FIELDS_OUTPUT_PACKED_H

#include <stdint.h>

#include "base/buf.h"
#include "fields/row_facts.h"

/* Values of a row of a table, packed by who prepares a page, to be bound by who
 * writes it. What does not fit is seen by the buffer's `is_full`. */
void pv_packed_add_null(struct pv_buf *packed);
void pv_packed_add_number(int64_t number, struct pv_buf *packed);
void pv_packed_add_text(struct pv_str text, struct pv_buf *packed);

/* A cell: whole numbers as such, where SQLite has room for them; lists, and
 * records within records, as JSON. The field is NULL for a carried one. */
void pv_packed_add_cell(const struct pv_cell *cell,
    const struct pv_field *field, struct pv_buf *packed);

enum pv_packed_kind { PV_PACKED_NULL, PV_PACKED_NUMBER, PV_PACKED_TEXT };

struct pv_packed_value {
	enum pv_packed_kind kind;
	int64_t number;
	struct pv_str text;
};

/* The next value, taken from what is left; false at the end. */
bool pv_packed_next(struct pv_str *left, struct pv_packed_value *value);

#endif
