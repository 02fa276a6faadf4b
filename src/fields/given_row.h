#ifndef PAVANE_FIELDS_GIVEN_ROW_H
#define PAVANE_FIELDS_GIVEN_ROW_H

#include "fields/row_page.h"

/* A row that the program that runs the crawl gives of a page, as a JSON object.
 *
 * Its members are the fields of the kind, by name. Each value is read as the one
 * that a field finds in JSON: what is none of its type is null, or the field's
 * default, and told as a problem; a field of `many` takes an array, records within
 * an array of objects. What is not there is null, or the default. What the page's
 * link carried stands in the row as in any other.
 */
struct pv_given_row {
	const struct pv_page_kind *kind;
	const struct pv_field_readers *readers;
	const struct pv_url *url; /* of the page: addresses are joined to it */
	struct pv_str carry;      /* that its link brought */
	struct pv_field_ceilings ceilings;
};

/* Adds the row behind those that there are; `rows` are of that kind. False, with
 * nothing but problems added, if it is no object, a member is no field, a
 * required field has no value, or there are too many rows: `why` says so in a
 * sentence. */
bool pv_rows_give(const struct pv_given_row *given, struct pv_str json,
    struct pv_rows *rows, struct pv_buf *why);

#endif
