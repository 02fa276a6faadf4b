#ifndef PAVANE_POLICY_SOURCES_EXCERPT_H
#define PAVANE_POLICY_SOURCES_EXCERPT_H

#include "base/why.h"

/* Below what is wrong with a file of YAML: the line, with a caret under the
 * place.
 *
 *     3 | rate: {max_rat: 5}
 *       |        ^
 *
 * Of a long line only what is around the place is shown, and no character that
 * a terminal would obey. A line that may hold a password or a token is not
 * shown: what a program prints is often kept in the logs of others. */

/* Appends the two lines for a place in the text, counted from 1; nothing where
 * the line is not to be shown. */
void pv_excerpt_write(
    struct pv_str text, uint32_t line, uint32_t column, struct pv_buf *buf);

/* Gives every problem and note about the file its excerpt from this text. */
void pv_excerpts_add(struct pv_why *why, const char *file, struct pv_str text);

#endif
