#ifndef PAVANE_BASE_UTF8_H
#define PAVANE_BASE_UTF8_H

#include <stdint.h>

#include "base/buf.h"
#include "base/reader.h"

/* UTF-8 (RFC 3629), read strictly: no overlong forms, no surrogates. */

#define PV_UTF8_END (-1)
#define PV_UTF8_INVALID (-2)

/* Takes the next character. PV_UTF8_INVALID takes the one byte that cannot
 * begin, or does not complete, a character. */
int32_t pv_utf8_next(struct pv_reader *reader);

/* Appends a character (0 to 0x10ffff) to a buffer. */
bool pv_utf8_append(struct pv_buf *buf, uint32_t character);

/* Where the first byte stands that is not UTF-8; PV_NOT_FOUND if all is. */
size_t pv_utf8_find_invalid(struct pv_str str);

/* Its beginning, of at most so many bytes, which ends before a character that
 * would be cut in two. */
struct pv_str pv_utf8_head(struct pv_str str, size_t bytes);

/* Appends the text with U+FFFD in the place of each byte that is not UTF-8;
 * false if the ceiling is in the way. */
bool pv_utf8_append_valid(struct pv_buf *buf, struct pv_str str);

/* Appends the text with one space for each run of white space, and none at its
 * ends; false if the ceiling is in the way. White space is all that Unicode calls
 * so, the no-break space and the thin ones included, as `" ".join(text.split())`
 * has it in Python: who sees a page sees no difference. A zero-width space is
 * none. */
bool pv_utf8_append_collapsed(struct pv_buf *buf, struct pv_str text);

#endif
