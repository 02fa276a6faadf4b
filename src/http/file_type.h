#ifndef PAVANE_HTTP_FILE_TYPE_H
#define PAVANE_HTTP_FILE_TYPE_H

#include "base/str.h"

/* The media types that the end of a path tells for certain.
 *
 * The table holds what parts of pages are: images, fonts, styles, scripts,
 * audio, video, and archives. For each end it has every type under which
 * servers give such a file, old names of types and the other forms in which a
 * picture may come included. What may be a page, or anything (html, php, xml,
 * json, txt, ts), is not in it.
 */
#define PV_FILE_TYPES_MAX 5

/* The types, the usual one first and NULL behind the last; NULL if the path's
 * last segment ends in nothing that is known. Percent signs are not read. */
const char *const *pv_file_types(struct pv_str path);

/* Each row of the table by its number, for who goes through all of them: its
 * end and its types. NULL past the last. */
const char *pv_file_types_at(size_t number, const char *const **types);

#endif
