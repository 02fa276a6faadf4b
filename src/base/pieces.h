#ifndef PAVANE_BASE_PIECES_H
#define PAVANE_BASE_PIECES_H

#include "base/str.h"

/* A long text, piece by piece.
 *
 * A file that is mapped fills memory as it is read. Of a text that lies in such
 * a map each piece is let go of when the next one is taken: it stays what it
 * is, and would be read from the file again.
 */
#define PV_PIECE_MAX ((size_t)8 << 20)

struct pv_pieces {
	struct pv_str left;
	struct pv_str last;
	bool is_mapped; /* from a file, and not to be written to */
};

static inline struct pv_pieces pv_pieces_of(struct pv_str text, bool is_mapped)
{
	return (struct pv_pieces){.left = text, .is_mapped = is_mapped};
}

/* False when there is no more. */
bool pv_pieces_next(struct pv_pieces *pieces, struct pv_str *piece);

#endif
