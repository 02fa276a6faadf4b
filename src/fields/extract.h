#ifndef PAVANE_FIELDS_EXTRACT_H
#define PAVANE_FIELDS_EXTRACT_H

#include "fields/row_page.h"

/* From a page to its rows, as its kind says, and to the links that it follows.
 *
 * A value that is not found is null, or the field's default; one that is none
 * of its type, too, and is told as a problem. A row without a required field is
 * left out. Of a field that is not `many` the first of what is found counts.
 */
void pv_rows_extract(struct pv_row_page *page, struct pv_rows *rows);

/* Where a field has no value: the default stands for what is not there, in a list
 * of one where there may be many. A list of none is no value of a required
 * field: false if it is required, and there is none. */
bool pv_field_without_value(
    const struct pv_field *field, struct pv_arena *arena, struct pv_cell *cell);

/* A link that a kind of page follows. Texts are borrowed for the call. */
struct pv_followed {
	struct pv_str text; /* as it stands: relative */
	size_t kind;        /* of page that it leads to, from 0 */
	struct pv_str carry;
	struct pv_str rel; /* of its element */
};

typedef void pv_followed_fn(void *ctx, const struct pv_followed *link);

/* Gives each link in the order of the policy and of the page; rows are those of
 * the page. Links that carry nothing are looked for in all of the page; so are
 * others, unless the kind has `each`: then in each row's element, whose values
 * they carry. */
void pv_links_follow(struct pv_row_page *page, struct pv_rows *rows,
    pv_followed_fn *on_link, void *ctx);

/* What a link carries has at most so many bytes; else it carries nothing, which
 * is told as a problem. */
#define PV_CARRY_MAX 4096

#endif
