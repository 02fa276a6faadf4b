#ifndef PAVANE_CLI_TERMINAL_COLUMNS_H
#define PAVANE_CLI_TERMINAL_COLUMNS_H

#include <stddef.h>

/* How wide text is on a terminal.
 *
 * What wcwidth knows depends on the locale, and terminals disagree, so it is
 * counted on the safe side: a column for each character, two from U+1100 on,
 * where the wide scripts and pictures are, and one for a byte that belongs to
 * no character. A line that is said to fit never wraps.
 */
size_t pv_columns_of(const char *text);

/* Copies as much as fits into so many columns and so many bytes, with "..." in
 * the place of what does not. Control characters, which would move the cursor,
 * become question marks. */
void pv_columns_fit(
    const char *text, size_t columns, char *fitted, size_t size);

/* The same, with the dots in the middle: of an address the end tells as much as
 * the beginning. */
void pv_columns_fit_ends(
    const char *text, size_t columns, char *fitted, size_t size);

#endif
