#ifndef PAVANE_PARSE_LINK_TWINS_H
#define PAVANE_PARSE_LINK_TWINS_H

#include "parse/links.h"

/* Links of a document that say the same as one before, but for their fragments,
 * as most do: what is found out about the first of them holds for all. Only
 * plain ones are compared, and only with those that came lately: some twins are
 * not noticed. */

/* Whether a text says what it means: nothing in it is to be decoded or
 * unescaped, wherever it stands. */
bool pv_link_is_plain(struct pv_str text);

/* Fills in what the last link has in common with those before it. */
void pv_link_twins_mark(struct pv_links *links);

#endif
