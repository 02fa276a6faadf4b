#ifndef PAVANE_READING_BODY_TYPE_H
#define PAVANE_READING_BODY_TYPE_H

#include "http/headers.h"

/* What a body is taken for, by all who ask: by its file's name, by the reading
 * of its links and by their rewriting.
 *
 * That is what its Content-Type says; but programs on servers call HTML
 * whatever nobody has told them to call otherwise, and rewritten as a page it
 * would be damaged: what is certainly a picture, an archive or the like is
 * that, and what was asked for as a part of a page and has no markup is text,
 * as a script is. Where there is no Content-Type, or none that can be read, the
 * first bytes tell.
 *
 * Empty is the type of markup of which nobody knows what it is. It is borrowed
 * from the headers, or lives for ever.
 */
struct pv_str pv_body_type(
    const struct pv_headers *headers, struct pv_str body, bool is_page);

#endif
