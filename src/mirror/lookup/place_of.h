#ifndef PAVANE_MIRROR_LOOKUP_PLACE_OF_H
#define PAVANE_MIRROR_LOOKUP_PLACE_OF_H

#include "base/buf.h"

/* Which file of a mirror somebody means, by whatever name: a path from the root
 * or from here, one below the crawl's directory or below the mirror in it, or
 * an address that begins with file:. Links on the way are followed. */
enum pv_place_kind {
	PV_PLACE_FILE,      /* a file below the crawl's directory */
	PV_PLACE_DIRECTORY, /* a directory there */
	PV_PLACE_ELSEWHERE, /* something that lies elsewhere */
	PV_PLACE_NOWHERE,   /* there is nothing of that name */
};

/* Appends where it lies below the directory if it lies there. */
enum pv_place_kind pv_place_of(
    const char *directory, const char *written, struct pv_buf *file);

#endif
