#ifndef PAVANE_FIELDS_ROW_CSV_H
#define PAVANE_FIELDS_ROW_CSV_H

#include "fields/row_facts.h"

/* A row as a line of CSV (RFC 4180, lines end with CR LF), for spreadsheets and
 * for programs.
 *
 * Its columns are those of fields/row_facts.h, then what its link carried, then
 * its fields; empty where there is no value. Values of a field that is `many`
 * stand in one column, joined by what the field says. Records within stand in a
 * file of their own, whose columns are _url, _item, _record (from 1) and their
 * fields. Text that begins with = + - @, a tab or CR would be a formula to a
 * spreadsheet: it gets a ' in front, numbers do not. A NUL, which no CSV may
 * have, is written as U+FFFD. What does not fit is seen by the buffer's
 * `is_full`.
 */

/* The first line of a file. */
void pv_row_csv_write_header(
    const struct pv_page_kind *kind, struct pv_buf *line);
void pv_row_csv_write_record_header(
    const struct pv_field *field, struct pv_buf *line);

/* Everything before `_change`, itself, and what follows, to the end of the
 * line; a row that is gone has only empty columns there. */
void pv_row_csv_write_facts(
    const struct pv_row_facts *facts, struct pv_buf *line);
void pv_row_csv_write_change(enum pv_row_change change, struct pv_buf *line);
void pv_row_csv_write_values(const struct pv_page_kind *kind,
    const struct pv_row *row, struct pv_buf *line);
void pv_row_csv_write_nothing(
    const struct pv_page_kind *kind, struct pv_buf *line);

/* The whole line of a record within that field: the number is from 1. */
void pv_row_csv_write_record(const struct pv_row_facts *facts, uint32_t number,
    const struct pv_field *field, const struct pv_cell *record,
    struct pv_buf *line);

#endif
