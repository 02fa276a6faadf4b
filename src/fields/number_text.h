#ifndef PAVANE_FIELDS_NUMBER_TEXT_H
#define PAVANE_FIELDS_NUMBER_TEXT_H

#include "base/buf.h"

/* The number in a text, as people write it: "1.234,50 EUR", "$ -3", "12 items".
 *
 * Whatever stands around it is passed over, but it must be the only one: in
 * "2 for 5" and "2026-11-27" there is none, and none in "B2B 12". A sign counts
 * directly in front of it or of its currency sign, and behind a letter or digit
 * it is a hyphen. Digits may be grouped, by threes: by spaces (no-break and thin
 * ones too), apostrophes, and whichever of "." and "," does not begin the
 * decimals; always by the same mark.
 */

/* Appends it as JSON has it: without "+", groups and zeros in front; its other
 * digits stay ("12.50"). An integer may have decimals if they are zeros, which
 * are left out, and no exponent. False, with nothing appended, if there is no
 * such number or it has more than 1,000 digits. The text is UTF-8, of which
 * white space has been collapsed. */
bool pv_number_text_read(
    struct pv_str text, char decimal, bool is_integer, struct pv_buf *buf);

#endif
