#ifndef PAVANE_BASE_UNPACKER_H
#define PAVANE_BASE_UNPACKER_H

#include <stdbool.h>

#include "base/str.h"

/* One compression undone, step by step: the common face of zlib, brotli and
 * zstd, for base/coding alone.
 *
 * A kind is a const entry of functions. Some formats begin with a mark, by
 * which we know at once that something else was sent; of the others we look at
 * the first bytes when they turn out to be damaged, and see whether they are a
 * text. Some may stand several times in a row.
 */
#define PV_UNPACKER_START_MAX 128

enum pv_unpack {
	PV_UNPACK_MORE, /* all that came is used up, or the room is full */
	PV_UNPACK_END,  /* it ends here; the input is what follows it */
	PV_UNPACK_BROKEN,
	PV_UNPACK_TOO_LARGE, /* it asks for more memory than it gets */
};

/* Where a step puts what comes out. */
struct pv_unpack_room {
	char *ptr;
	size_t size;
	size_t used;
};

struct pv_unpacker_kind {
	const char *name; /* of the coding, as HTTP has it */
	const char *alias;

	/* How many bytes have to be seen before it begins; and whether these,
	 * or as many of them as came, are its mark, NULL if it has none. */
	size_t start_len;
	bool (*is_mark)(struct pv_str start);

	/* `start` is the first bytes, which have to be fed to it all the
	 * same. */
	void *(*create)(struct pv_str start);

	/* For another one behind it; NULL where it stands once. */
	void (*restart)(void *unpacker);

	/* Takes from the input and fills the room. */
	enum pv_unpack (*step)(
	    void *unpacker, struct pv_str *input, struct pv_unpack_room *room);
	void (*destroy)(void *unpacker);
};

extern const struct pv_unpacker_kind pv_unpacker_gzip;
extern const struct pv_unpacker_kind pv_unpacker_deflate;
extern const struct pv_unpacker_kind pv_unpacker_brotli;
extern const struct pv_unpacker_kind pv_unpacker_zstd;

#endif
