#ifndef PAVANE_PARSE_CSS_ESCAPE_H
#define PAVANE_PARSE_CSS_ESCAPE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/reader.h"

/* Escapes of style sheets: a backslash before a character, or before its
 * number (https://drafts.csswg.org/css-syntax/#consume-escaped-code-point).
 */

bool pv_css_is_break(int byte); /* ends a line: LF, FF, CR */
bool pv_css_is_space(int byte);

/* Behind a backslash: takes up to six hexadecimal digits, and the one white
 * space that may end them. The character that they mean, or -1, with nothing
 * taken, if there are none. */
int32_t pv_css_escape_number(struct pv_reader *reader);

/* Takes a character, escaped or not, or of those beyond ASCII a byte; an
 * escaped end of a line reads as a space, and the end as -1. */
int32_t pv_css_take(struct pv_reader *reader);

/* Appends the text, in UTF-8, with its escapes read; an escaped end of a line
 * is nothing. What does not fit is left to buf->is_full. */
void pv_css_unescape(struct pv_str text, struct pv_buf *buf);

/* Whether a name, as it stands, means that one, which is in small letters. */
bool pv_css_name_is(struct pv_str name, struct pv_str wanted);

#endif
