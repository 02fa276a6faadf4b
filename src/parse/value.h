#ifndef PAVANE_PARSE_VALUE_H
#define PAVANE_PARSE_VALUE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/reader.h"
#include "parse/decoder.h"

/* The value of an attribute as it stands in a page, and what it says once its
 * character references are read. */

/* Goes through a value character by character, knowing where each stands. Only
 * ASCII is distinguished: other characters come as their bytes, or as what a
 * reference gives. */
struct pv_value_cursor {
	struct pv_reader rest; /* behind the character */
	const char *at;        /* where it stands */
	int32_t character;     /* -1 at the end */
};

struct pv_value_cursor pv_value_cursor_of(struct pv_str value);
void pv_value_next(struct pv_value_cursor *cursor);

typedef bool (*pv_value_fn)(int32_t character);

/* Takes the characters that the function says yes to, as they stand. */
struct pv_str pv_value_take_while(
    struct pv_value_cursor *cursor, pv_value_fn is);

/* White space, as HTML means it. */
bool pv_value_is_space(int32_t character);

/* Whether there is nothing in it but white space. */
bool pv_value_is_blank(struct pv_str value);

/* The value in UTF-8, with its references read: itself, where nothing needs
 * to be changed, or else in the scratch buffer, as far as that may grow
 * (scratch->is_full). */
struct pv_str pv_value_read(
    struct pv_str value, struct pv_decoder *decoder, struct pv_buf *scratch);

#endif
