#ifndef PAVANE_HTTP_LINK_FIELD_H
#define PAVANE_HTTP_LINK_FIELD_H

#include "base/buf.h"
#include "base/reader.h"

/* The links that a Link header names (RFC 8288, 3), several in one line:
 *
 *   <https://example.org/?page=2>; rel="next", </style.css>; rel=preload
 *
 * Targets are references as they were written; nothing is joined here. All is
 * borrowed from the text.
 */
struct pv_link_field {
	struct pv_str target;
	struct pv_str parameters;
};

/* Takes the next link of a header's value, leaving out what is none; false at
 * the end. */
bool pv_link_field_next(struct pv_reader *reader, struct pv_link_field *link);

/* Whether that is among its relations, ignoring case. Only the first rel
 * counts. */
bool pv_link_field_has_rel(const struct pv_link_field *link, struct pv_str rel);

/* Appends the value of the first parameter of that name; false if there is
 * none or the ceiling is in the way. */
bool pv_link_field_get(
    const struct pv_link_field *link, struct pv_str name, struct pv_buf *value);

#endif
