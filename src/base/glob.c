#include "base/glob.h"

#include "base/reader.h"

/* Takes what stands up to and including the first place of the piece. False if
 * it is nowhere. memmem is linear for any bytes. */
static bool take_through(struct pv_reader *text, struct pv_str piece)
{
	const char *found =
	    memmem(text->at, pv_reader_left(text), piece.ptr, piece.len);
	if (!found)
		return false;
	pv_reader_take(text, (size_t)(found - text->at) + piece.len);
	return true;
}

bool pv_glob_match(struct pv_str glob, struct pv_str text)
{
	struct pv_reader pieces = pv_reader_of(glob);
	struct pv_reader rest = pv_reader_of(text);
	struct pv_str piece = pv_reader_take_until(&pieces, '*');
	if (!pv_reader_accept_str(&rest, piece))
		return false;
	if (pv_reader_is_end(&pieces))
		return pv_reader_is_end(&rest);
	while (pv_reader_accept(&pieces, '*')) {
		piece = pv_reader_take_until(&pieces, '*');
		if (pv_reader_is_end(&pieces))
			break;
		if (!take_through(&rest, piece))
			return false;
	}
	return pv_str_ends(pv_reader_rest(&rest), piece);
}
