#ifndef PAVANE_URL_QUERY_H
#define PAVANE_URL_QUERY_H

#include "base/buf.h"

/* The parameters of a query, as a canonical address holds them: they stand
 * between "&", an empty one included, and the name of one is what stands before
 * its first "=", byte by byte. Whatever is done to them is done in place; their
 * own bytes are left alone. */

/* Globs (base/glob.h) of names, canonical; owned by the caller. */
struct pv_query_names {
	const struct pv_str *globs;
	size_t count;
};

/* Takes out the parameters that are named, and moves what stays to the front in
 * its order. Returns how long that is, or PV_NOT_FOUND if no parameter
 * stays. */
size_t pv_query_strip(
    char *query, size_t len, const struct pv_query_names *names);

/* Puts the parameters in the order of their names, by bytes; those of one name
 * keep theirs. False if they stood in it. The scratch must take `len` bytes. */
bool pv_query_sort(char *query, size_t len, struct pv_buf *scratch);

#endif
