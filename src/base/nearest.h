#ifndef PAVANE_BASE_NEAREST_H
#define PAVANE_BASE_NEAREST_H

#include <stddef.h>

#include "base/str.h"

/* The word that somebody probably meant.
 *
 * Words are offered one by one; the nearest by edits (a letter added, left
 * out, changed, or two neighbours swapped) is kept, if it is near enough.
 */
struct pv_nearest {
	struct pv_str written;
	const char *word; /* borrowed from the caller; NULL if none is near */
	size_t distance;
};

struct pv_nearest pv_nearest_to(struct pv_str written);
void pv_nearest_offer(struct pv_nearest *nearest, const char *word);

#endif
