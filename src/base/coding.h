#ifndef PAVANE_BASE_CODING_H
#define PAVANE_BASE_CODING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Undoing content codings (RFC 9110, 8.4): gzip, deflate, br, zstd and lists of
 * at most three of them, as a stream.
 *
 * What comes out is bounded by two ceilings, in bytes and as a multiple of what
 * was put in, and these hold for each coding of a list; what it costs in memory
 * is at most the window of each (16 MiB) and some buffers. Bytes are given on
 * as they come out, so the caller must be ready to drop them if the end shows
 * that they are damaged.
 *
 * Servers err in ways that are well known. They name a coding and send the
 * plain bytes, which is reported; they name gzip twice and apply it once, they
 * send "deflate" without the zlib format around it, and add bytes behind the
 * end, which is put up with.
 */
#define PV_CODINGS_MAX 3

enum pv_coding_result {
	/* what was given is all of it */
	PV_CODING_WHOLE,

	/* the coded bytes end early: what was given is the beginning */
	PV_CODING_CUT,

	/* take the coded bytes as they are: they are not in that coding, */
	PV_CODING_PLAIN,
	/* it is none that we know, or the list is too long */
	PV_CODING_UNKNOWN,

	/* keep the coded bytes, and do not read them */
	PV_CODING_BROKEN,
	PV_CODING_TOO_LARGE, /* in bytes, or in the memory that it takes */
	PV_CODING_TOO_STEEP,

	PV_CODING_STOPPED, /* by who takes the bytes */
	PV_CODING_COUNT,
};

/* What it means, for a journal: "the content coding is damaged"; "" for what
 * is whole. */
const char *pv_coding_result_text(enum pv_coding_result result);

/* Gets decoded bytes, borrowed for the call; false if it wants no more. */
typedef bool (*pv_coding_fn)(void *ctx, struct pv_str bytes);

struct pv_coding_plan {
	uint64_t bytes_max;

	/* So many bytes for each byte appended, looked at once there are more
	 * than a MiB of them; 0 for no such ceiling. */
	uint32_t ratio_max;

	pv_coding_fn give;
	void *ctx;
};

/* For the value of Content-Encoding (several fields joined with commas); empty
 * or "identity" lets everything pass. */
struct pv_coding *pv_coding_create(
    struct pv_str names, const struct pv_coding_plan *plan);
void pv_coding_destroy(struct pv_coding *coding);

/* False once the result is known and more bytes cannot change it. */
bool pv_coding_append(struct pv_coding *coding, struct pv_str bytes);

/* No more bytes come; how it went. */
enum pv_coding_result pv_coding_end(struct pv_coding *coding);

/* All of this for bytes that are there already. */
enum pv_coding_result pv_coding_undo(struct pv_str names, struct pv_str bytes,
    const struct pv_coding_plan *plan);

#endif
