#ifndef PAVANE_BASE_VISIBLE_H
#define PAVANE_BASE_VISIBLE_H

#include "base/buf.h"

/* Appends text from outside in a form that no terminal obeys: control
 * characters, marks that turn the direction of writing and bytes that are not
 * UTF-8 are shown as \n, \t, \xNN or \u{NNNN}; all else stands as it is.
 * False if the ceiling is in the way; what fits, character by character, is
 * appended. */
bool pv_visible_append(struct pv_buf *buf, struct pv_str text);

/* The same for what printf makes of a format. */
bool pv_visible_append_format_list(struct pv_buf *buf, const char *format,
    va_list list) __attribute__((format(printf, 2, 0)));

#endif
