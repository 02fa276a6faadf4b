#ifndef PAVANE_CLI_MANUAL_ROFF_H
#define PAVANE_CLI_MANUAL_ROFF_H

#include <stdbool.h>
#include <stdio.h>

/* Writes text as it is to be read, with escapes for what roff would take for
 * its own. `is_first` says whether it begins a line. */
void pv_roff_write(FILE *file, const char *text, bool is_first);

/* The same as a sentence: a capital at the beginning, and no full stop. */
void pv_roff_write_sentence(FILE *file, const char *text);

/* The same in capitals, for titles. */
void pv_roff_write_capitals(FILE *file, const char *text);

/* "[URL...]" with URL in italics. */
void pv_roff_write_argument(FILE *file, const char *text);

#endif
