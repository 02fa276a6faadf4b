#ifndef PAVANE_FIELDS_VALUE_H
#define PAVANE_FIELDS_VALUE_H

#include "base/arena.h"
#include "fields/rows.h"
#include "policy/values/value_form.h"

/* How texts of a page become values.
 *
 * - text: white space collapses (base/utf8.h) unless the form says
 *   otherwise; html stays as it is. Both are UTF-8 afterwards, bytes that are
 *   not are U+FFFD, and both may be empty;
 * - integer, number: the only number in the text (fields/number_text.h);
 * - bool: true, yes, on, 1; false, no, off, 0; letters of any size;
 * - date: fields/date_text.h;
 * - url: joined to the page's base, absolute, with its fragment. It is http or
 *   https: what nobody can be asked for (mailto:, data:, javascript:) is a
 *   wrong value, and may be had as text;
 * - json: one JSON value, on one line (base/json/json_page.h).
 *
 * A text of white space only is nothing for all types but text and html.
 */
struct pv_encoder;
struct pv_json;
struct pv_time_zone;
struct pv_url;

/* A form with its time zone found: made once, read by many threads. */
struct pv_field_reader {
	struct pv_value_form form;
	struct pv_time_zone *zone; /* NULL: UTC */
};

/* The texts of the form are borrowed until the reader is finished.
 * `environment` is the variable TZ; NULL where it is not set. */
void pv_field_reader_init(struct pv_field_reader *reader,
    const struct pv_value_form *form, const char *environment);
void pv_field_reader_finish(struct pv_field_reader *reader);

#define PV_VALUE_LEN_MAX ((size_t)64 * 1024)

/* What values of one page have in common; used by one thread at a time. */
struct pv_field_page {
	struct pv_arena *arena;     /* keeps all that cells borrow */
	const struct pv_url *base;  /* of addresses */
	struct pv_encoder *encoder; /* of their queries; NULL: UTF-8 */
	size_t len_max;             /* bytes; PV_VALUE_LEN_MAX */
};

/* Makes a cell of a text; false, with the cell of PV_CELL_NULL, if the text is
 * no such value: then the fault is PV_FIELD_NOTHING, _WRONG or _LONG. */
bool pv_field_value_read(const struct pv_field_reader *reader,
    const struct pv_field_page *page, struct pv_str text, struct pv_cell *cell,
    enum pv_field_fault *fault);

/* The same for a JSON value: of a text, number, true or false by its text, a
 * number's decimals always behind a point; an object or array is its JSON on
 * one line for text and html, too; null is nothing. */
bool pv_field_value_read_json(const struct pv_field_reader *reader,
    const struct pv_field_page *page, const struct pv_json *value,
    struct pv_cell *cell, enum pv_field_fault *fault);

#endif
