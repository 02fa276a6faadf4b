#ifndef PAVANE_RECORD_PART_H
#define PAVANE_RECORD_PART_H

#include <stdint.h>

#include "base/buf.h"
#include "base/digest.h"

/* The first bytes of a large body that was broken off, and what must be known
 * of them so that the rest can be asked for by itself (RFC 9110, 14), and is
 * put together only with what belongs to the very same bytes.
 *
 * A part can be continued only if its answer said how long it would be and
 * brought a strong validator (8.8.1): a strong entity-tag; or, where it has no
 * tag at all (13.1.5), a Last-Modified at least a minute before its Date. The
 * RFC asks for a second, and for a reason to believe that both are by the same
 * clock (8.8.2.2); of that we know nothing, and what was changed less than a
 * minute ago is seldom worth it. A validator counts as the same only if it is
 * so to the byte.
 *
 * A visit carries its part packed into one text, as it does its copy.
 */
#define PV_PART_BYTES_MIN ((uint64_t)1024 * 1024)
#define PV_PART_VALIDATOR_MAX ((size_t)1024)
#define PV_PART_HEADERS_MAX ((size_t)16 * 1024)

struct pv_response;
struct pv_headers;

struct pv_part {
	uint64_t size;     /* bytes that are here, in their content coding */
	uint64_t complete; /* bytes of the whole */
	uint32_t gains;    /* tries that got further and did not count */
	uint8_t digest[PV_DIGEST_SIZE]; /* of the bytes that are here */
	struct pv_str validator;        /* as it came, for If-Range */
	struct pv_str headers; /* of the answer that began it, a line each: what
				  continues it need not tell them again */
};

void pv_part_pack(const struct pv_part *part, struct pv_buf *packed);

/* False if there is none. Its texts are those of the packed one. */
bool pv_part_unpack(struct pv_str packed, struct pv_part *part);

/* Whether an answer that was broken off can be continued later: then its
 * validator and headers are appended to the buffer (one behind the other), and
 * all but the digest is filled in; the texts are the buffer's. */
bool pv_part_begin(const struct pv_response *response, int64_t wall_ms,
    struct pv_buf *texts, struct pv_part *part);

/* What keeps a 206 whose headers have come from being the rest of that part,
 * in words; NULL: it is. */
const char *pv_part_misfit(
    const struct pv_part *part, const struct pv_response *response);

/* Adds what the answer that began the part told and the one that continues it
 * does not. */
void pv_part_complete_headers(
    const struct pv_part *part, struct pv_headers *headers);

#endif
