#ifndef PAVANE_FIELDS_ROW_JSON_H
#define PAVANE_FIELDS_ROW_JSON_H

#include "fields/row_facts.h"

/* A row as one line of JSON (RFC 8259), for programs that read it for years.
 *
 * Its members are the columns of fields/row_facts.h, then what its link
 * carried, then its fields, in the policy's order; null where there is no
 * value. Lists are arrays, records within are arrays of objects, numbers stand
 * with their digits as they are. It is made in pieces, since whether a row is
 * new is known later than all else. What does not fit is seen by the buffer's
 * `is_full`.
 */

/* Everything before `_change`. */
void pv_row_json_write_facts(
    const struct pv_row_facts *facts, struct pv_buf *line);

/* `_change` itself. */
void pv_row_json_write_change(enum pv_row_change change, struct pv_buf *line);

/* Everything behind it, and the end of the line. */
void pv_row_json_write_values(const struct pv_page_kind *kind,
    const struct pv_row *row, struct pv_buf *line);

/* The end of a line that has no values. */
#define PV_ROW_JSON_END PV_STR("}\n")

/* A value alone. The field (NULL: a carried one) has the names of the records
 * within. */
void pv_row_json_write_cell(const struct pv_cell *cell,
    const struct pv_field *field, struct pv_buf *buf);

#endif
