#ifndef PAVANE_POLICY_DOCUMENT_INDENTATION_H
#define PAVANE_POLICY_DOCUMENT_INDENTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Lines of YAML that begin in the wrong column.
 *
 * A parser only sees that something else was possible at a place; which line
 * the writer had in mind is guessed here: of the lines above, the one that is
 * nearest in its indentation. */
struct pv_indentation {
	size_t column;        /* from 0, in characters: where the line begins */
	size_t wanted_line;   /* from 0: that it should align with ... */
	size_t wanted_column; /* ... and where that begins, behind its "- " */
};

/* Whether a line (from 0) begins elsewhere than its neighbour above; false,
 * too, where it has none or is blank. */
bool pv_indentation_find(
    struct pv_str text, size_t line, struct pv_indentation *found);

#endif
