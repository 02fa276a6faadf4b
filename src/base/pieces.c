#include "base/pieces.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* The whole pages of a piece, and that in which it begins. */
static void let_go(struct pv_str piece)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)piece.ptr & ~(page - 1);
	uintptr_t end = ((uintptr_t)piece.ptr + piece.len) & ~(page - 1);
	if (end > start)
		madvise((void *)start, end - start, MADV_DONTNEED);
}

bool pv_pieces_next(struct pv_pieces *pieces, struct pv_str *piece)
{
	struct pv_str left = pieces->left;
	if (pieces->is_mapped && pieces->last.len)
		let_go(pieces->last);
	pieces->last = pv_str_head(
	    left, left.len < PV_PIECE_MAX ? left.len : PV_PIECE_MAX);
	pieces->left = pv_str_from(left, pieces->last.len);
	*piece = pieces->last;
	return piece->len > 0;
}
