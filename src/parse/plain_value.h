#ifndef PAVANE_PARSE_PLAIN_VALUE_H
#define PAVANE_PARSE_PLAIN_VALUE_H

#include "parse/value.h"

/* The value of an attribute with its references read, for who looks in it for a
 * language of its own: CSS, or a page within the page. There is a byte for each
 * character: what stands there itself, or what of ASCII a reference means; what
 * a reference means beyond that is no more than a character. So what is found
 * there has a place in the page. */
struct pv_plain_value {
	struct pv_str text;
	struct pv_str value; /* as it stands in the page */
	bool is_value;       /* the text is the value itself */
	struct pv_value_cursor cursor;
	size_t at; /* where the cursor is in the text */
};

/* Where a value has references they are read into the scratch buffer, which
 * must live as long; if that may not grow so far (scratch->is_full), there is
 * no text. */
void pv_plain_value_init(
    struct pv_plain_value *plain, struct pv_str value, struct pv_buf *scratch);

/* A piece of the text, as it stands in the page. Quick for those who ask in the
 * order of the text. */
struct pv_str pv_plain_value_place(
    struct pv_plain_value *plain, struct pv_str piece);

#endif
