#ifndef PAVANE_FIELDS_PROBLEM_JSON_H
#define PAVANE_FIELDS_PROBLEM_JSON_H

#include "fields/row_facts.h"

/* What is to be said of a field that has no value, as a line of JSON. All its
 * members are always there:
 *
 *   time      when the page was asked for: "2026-03-01T09:30:00.250Z"
 *   url       of the page, without credentials
 *   kind      of the page
 *   field     "reviews.stars"; null for the whole page
 *   item      the row, from 1; null for the whole page
 *   why       in words (fields/rows.h)
 *   required  whether there is no such row because of it
 *   detail    the text that is no value, its beginning; null for none
 */

/* The beginning, which is the same for all problems of a page: to `kind`. The
 * facts' item and digest do not matter. */
void pv_problem_json_write_facts(
    const struct pv_row_facts *facts, const char *kind, struct pv_buf *line);

/* The rest, with the end of the line. */
void pv_problem_json_write(
    const struct pv_field_problem *problem, struct pv_buf *line);

#endif
